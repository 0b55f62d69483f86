import type { Family, Kit, List } from "./model.ts"

/** Returns the list that a snippet is about: the guests of an event that the account may read. */
function exampleOf({ prefix, eventId = "EVENT_ID", lists }: Family): string {
  const list: List | undefined = lists.find(({ isOfEvent, tables }) =>
    isOfEvent && tables.length === 1
  )
  return (list?.path ?? `${prefix}/events/:eventId/guests`).replace(":eventId", eventId)
}

/** Returns a source for dlt: events, and what changes of each. The family has a feed. Its token comes from the secrets. */
export function dltSource({ prefix }: Family, { server }: Kit): string {
  return `# A source for dlt: events, guests and items, with deletions. A run reads what has changed since the last one, and all
# of an event that is new. Put a token into .dlt/secrets.toml as event_export_token.
#
# The table "event" has the events that you may read now: what other tables have of other events is old.
# If a run fails with 410, deletions were forgotten before you read them: run once with refresh="drop_sources".
import dlt
from dlt.sources.helpers import requests

FAMILY = ${JSON.stringify(`${server}${prefix}`)}


def get(url, **params):
    token = dlt.secrets["event_export_token"]
    return requests.get(url, params=params, headers={"Authorization": "Bearer " + token})


def events():
    url = FAMILY + "/events?since=-1"
    while url:
        page = get(url)
        yield from page.json()
        url = page.links.get("next", {}).get("url")


@dlt.resource(write_disposition="replace", primary_key="id")
def event():
    yield from events()


# A table per category, such as "guests" and "tickets". A row with a time in "deleted" deletes its record.
@dlt.resource(
    write_disposition="merge",
    primary_key=["eventId", "id"],
    columns={"deleted": {"data_type": "bigint", "hard_delete": True}},
)
def changes():
    cursors = dlt.current.resource_state().setdefault("cursors", {})
    for each in events():
        event_id, tables, more = each["id"], {}, True
        while more:
            page = get(FAMILY + "/events/" + event_id + "/changes", after=cursors.get(event_id, "")).json()
            for change in page["changes"]:
                record = change.get("record", {"id": change["id"], "deleted": change.get("deleted")})
                tables.setdefault(change["category"], {})[change["id"]] = {**record, "eventId": event_id}
            cursors[event_id], more = page["next"], page["more"]
        for category, rows in tables.items():
            yield dlt.mark.with_table_name(list(rows.values()), category)


pipeline = dlt.pipeline("event_export", destination="duckdb", dataset_name="event_export")
print(pipeline.run([event, changes]))
`
}

/** Returns a query for Power BI and Excel, which reads a list as CSV. */
export function powerQuery(family: Family, { server }: Kit): string {
  const text = (value: string) => `"${value.replaceAll('"', '""').replaceAll("#(", "#(#)(")}"`
  return `// A query for Power BI and Excel (Get Data, Blank Query, Advanced Editor): all records of a list. Replace TOKEN,
// and choose "Anonymous" when it asks how to connect.
let
    Token = "TOKEN",
    Source = Web.Contents(${text(server)}, [
        RelativePath = ${text(`${exampleOf(family).slice(1)}/export`)},
        Query = [since = "-1"],
        Headers = [Authorization = "Bearer " & Token, Accept = "text/csv"]
    ]),
    Rows = Csv.Document(Source, [Delimiter = ",", Encoding = 65001, QuoteStyle = QuoteStyle.Csv])
in
    Table.PromoteHeaders(Rows)
`
}

/** Returns statements for DuckDB that read a list over HTTP. */
export function duckdbOverHttp(family: Family, { server }: Kit): string {
  const text = (value: string) => `'${value.replaceAll("'", "''")}'`
  const url = `${server}${exampleOf(family)}/export?since=-1`
  return `-- Reads all records of a list over HTTP with DuckDB. Replace TOKEN. The last line of an export is no record.
install httpfs;
load httpfs;
create or replace secret event_export (
  type http,
  scope ${text(server)},
  extra_http_headers map {'Authorization': 'Bearer TOKEN', 'Accept': 'application/x-ndjson'}
);
select * exclude ("end")
from read_json(${text(url)}, format = 'newline_delimited', sample_size = -1)
where id is not null;
`
}

/** Returns a script for Google Sheets, which fills a sheet with a list. */
export function googleSheets(family: Family, { server }: Kit): string {
  return `// A script for Google Sheets (Extensions, Apps Script): fills the sheet "export" with all records of a list. Store a
// token in the script properties (Project Settings) as TOKEN, run refresh, and add a trigger that runs it every hour.
// Google must be able to reach the service.
function refresh() {
  const response = UrlFetchApp.fetch(${
    JSON.stringify(`${server}${exampleOf(family)}/export?since=-1`)
  }, {
    headers: {
      Authorization: "Bearer " + PropertiesService.getScriptProperties().getProperty("TOKEN"),
      Accept: "text/csv; for=spreadsheet",
    },
  })
  const rows = Utilities.parseCsv(response.getContentText("UTF-8"))
  const file = SpreadsheetApp.getActive()
  const sheet = file.getSheetByName("export") || file.insertSheet("export")
  sheet.clear()
  // As text: postcodes keep their zeros.
  sheet.getRange(1, 1, rows.length, rows[0].length).setNumberFormat("@").setValues(rows)
}
`
}
