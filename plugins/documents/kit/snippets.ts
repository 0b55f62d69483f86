import type { Family, Kit, List } from "./model.ts"

/** What a snippet is about: the guests of an event that the account may read. */
function exampleOf({ prefix, eventId = "EVENT_ID", lists }: Family) {
  const events = `${prefix}/events`
  const list: List | undefined = lists.find(({ isOfEvent, tables }) =>
    isOfEvent && tables.length === 1
  )
  return { events, list: (list?.path ?? `${events}/:eventId/guests`).replace(":eventId", eventId) }
}

/** Returns a source for dlt: events, and the records of each. Its token comes from the secrets. */
export function dltSource(family: Family, { server }: Kit): string {
  const { events } = exampleOf(family)
  const lists = family.lists.filter(({ isOfEvent, deletes, tables }) =>
    isOfEvent && tables.length === 1 && !deletes
  )
  const resources = lists.map(({ path, tables: [table] }) =>
    `        {
            "name": ${JSON.stringify(table?.name)},
            "primary_key": ["eventId", "id"],
            "write_disposition": "merge",
            "endpoint": {
                "path": ${
      JSON.stringify(path.slice(1).replace(":eventId", "{resources.event.id}"))
    },
                "params": {"since": "{incremental.start_value}"},
                "incremental": {"cursor_path": "updated", "initial_value": 0, "lag": 600},
            },
        },
`
  )
  return `# A source for dlt. Put a token into .dlt/secrets.toml as event_export_token: POST /session with the header
# "Prefer: return=representation" returns one. dlt cannot keep the header Next-Since, so it reads ten minutes again.
import dlt
from dlt.sources.rest_api import rest_api_source

source = rest_api_source({
    "client": {
        "base_url": ${JSON.stringify(server)},
        "auth": {"type": "bearer", "token": dlt.secrets["event_export_token"]},
        "paginator": {"type": "header_link"},
    },
    "resources": [
        {
            "name": "event",
            "primary_key": "id",
            "write_disposition": "merge",
            "endpoint": {"path": ${JSON.stringify(events.slice(1))}, "params": {"since": -1}},
        },
${resources.join("")}    ],
})

pipeline = dlt.pipeline("event_export", destination="duckdb", dataset_name="event_export")
print(pipeline.run(source))
`
}

/** Returns a query for Power BI and Excel, which reads a list as CSV. */
export function powerQuery(family: Family, { server }: Kit): string {
  const text = (value: string) => `"${value.replaceAll('"', '""').replaceAll("#(", "#(#)(")}"`
  return `// A query for Power BI and Excel (Get Data, Blank Query, Advanced Editor). Choose "Anonymous" when it asks how to
// connect, and replace TOKEN: POST /session with the header "Prefer: return=representation" returns one.
let
    Token = "TOKEN",
    Pages = List.Generate(
        () => [Offset = 0, Rows = Read(0)],
        each Table.RowCount([Rows]) > 0,
        each [Offset = [Offset] + 1000, Rows = Read([Offset] + 1000)],
        each [Rows]
    ),
    Read = (Offset as number) as table => Table.PromoteHeaders(Csv.Document(Web.Contents(${
    text(server)
  }, [
        RelativePath = ${text(exampleOf(family).list.slice(1))},
        Query = [since = "-1", limit = "1000", offset = Number.ToText(Offset)],
        Headers = [Authorization = "Bearer " & Token, Accept = "text/csv"]
    ]), [Delimiter = ",", Encoding = 65001, QuoteStyle = QuoteStyle.Csv])),
    // Pages by offset repeat a record that changes meanwhile.
    Records = Table.Distinct(Table.Combine(Pages), {"id"})
in
    Records
`
}

/** Returns statements for DuckDB that read a list over HTTP. */
export function duckdbOverHttp(family: Family, { server }: Kit): string {
  const url = `${server}${exampleOf(family).list}`
  const text = (value: string) => `'${value.replaceAll("'", "''")}'`
  return `-- Reads a list over HTTP with DuckDB. Replace TOKEN: POST /session with the header "Prefer: return=representation"
-- returns one. A statement reads one page, of up to 1,000 records. With /guests/export in the path it reads all of them,
-- and a last line that is no record.
install httpfs;
load httpfs;
create or replace secret event_export (
  type http,
  scope ${text(server)},
  extra_http_headers map {'Authorization': 'Bearer TOKEN', 'Accept': 'application/x-ndjson'}
);
select * from read_json(${text(`${url}?since=-1`)}, format = 'newline_delimited');
`
}
