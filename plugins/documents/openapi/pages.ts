import type { ListingRoute, MountedRoute } from "../../../core/plugin.ts"
import { headersOfLists } from "./headers.ts"
import { pascal } from "./names.ts"
import { familyOf, type Parts } from "./parts.ts"
import { exampleOf, schemaOfRecord } from "./records.ts"
import type { Json } from "./schemas.ts"

const unchangedPage =
  "Nothing on this page or after it has changed, and nothing was deleted, since the response with this `ETag`."

/** Returns the response of a whole list. */
function wholeOf({ headers }: Parts): Json {
  const description =
    "All records, newest first. NDJSON, and CSV as `text/csv; end=line`, have a last line with their number, the " +
    "SHA-256 of all bytes before it, and the URL of the rest: without that line, the response is " +
    "incomplete. The connection of any other CSV breaks if it is incomplete. To read in parts, send " +
    "`limit`, and follow the URL of the rest."
  return {
    200: {
      description,
      headers: headers.of({
        always: [...headersOfLists, "Fields"],
        sometimes: ["Content-Disposition"],
      }),
      content: rows,
    },
  }
}

/** True if lists have formats in which each record is a row. */
export function hasRows({ catalogue: { numbers } }: Parts): boolean {
  return numbers.export.records > 0
}

/** The formats of a list besides JSON. They document `Accept`, since OpenAPI ignores a parameter of that name. */
const rows: Readonly<Record<string, Json>> = {
  "application/x-ndjson": {
    schema: {
      type: "string",
      description:
        "One record per line, as in the arrays of JSON. Items begin with `category`. Other names: " +
        "`application/ndjson`, `application/jsonl`, `application/x-jsonlines`. With `; end=absent`, exports have " +
        "records only.",
    },
  },
  "text/csv": {
    schema: {
      type: "string",
      description:
        "RFC 4180, with a header line. Objects are flat, as in `mainAddress.town`. The media type " +
        "`text/csv; header=absent` leaves the header line out, `text/csv; bom=true` begins with a byte order mark, " +
        "`text/csv; for=spreadsheet` puts an apostrophe before text that a spreadsheet would compute. " +
        "Without it, the program that opens the file must prevent that.",
    },
  },
}

/** Returns the responses of a list. */
export function pagesOf(route: MountedRoute & ListingRoute, parts: Parts): Json {
  if (route.export) return wholeOf(parts)
  const { headers } = parts
  const { parameters, bundle, hasHorizon, fields, schema } = route.list
  const hasPages = parameters.includes("cursor")
  const isRows = !schema && hasRows(parts)
  const own = hasHorizon ? ["Complete-Since"] : fields === undefined ? [] : ["Fields"]
  const always = [...headersOfLists, ...own]
  const sometimes = [
    ...hasPages ? ["Link"] : [],
    ...bundle ? ["More"] : [],
    ...isRows ? ["Content-Disposition"] : [],
    ...parts.catalogue.numbers.polling.wait > 0 ? ["Preference-Applied"] : [],
    ...parameters.includes("mine") ? ["Copy"] : [],
    ...parameters.includes("since") ? ["Hint"] : [],
  ]
  const tagged = { always: [...always, "ETag"], sometimes }
  const page = hasPages ? { always, sometimes: [...sometimes, "ETag"] } : tagged
  const example = exampleBody(route, parts)
  const examples = example === undefined ? {} : { examples: { page: { value: example } } }
  const content = {
    "application/json": { schema: bodyOf(route, parts), ...examples },
    ...isRows ? rows : {},
  }
  return {
    200: { description: "A page.", headers: headers.of(page), content },
    304: { description: unchangedPage, headers: headers.of(tagged) },
  }
}

/** Returns the schema of a page: the list's own if it has one, else that of its projections. */
function bodyOf(route: MountedRoute & ListingRoute, all: Parts): Json {
  const { schemas, catalogue: { records } } = all
  const { list, list: { parts } } = route
  const plugin = familyOf(route, all)
  if (list.schema) return schemas.of(list.schema)
  const array = (part: (typeof parts)[number]) => ({
    type: "array",
    items: schemas.add(schemaOfRecord(part.projection, { plugin, records })),
  })
  const [only] = parts
  if (only && only.name === undefined) return array(only)
  if (!only) return {}
  const arrays = Object.fromEntries(parts.map((part) => [part.name, array(part)]))
  const own = parts.some(({ projection }) =>
    schemaOfRecord(projection, { plugin, records })["title"] !== projection.record
  )
  return schemas.add({
    title: `${own ? pascal(plugin) : ""}${pascal(list.name)}Bundle`,
    type: "object",
    properties: arrays,
    required: Object.keys(arrays),
  })
}

function exampleBody(route: MountedRoute & ListingRoute, { catalogue }: Parts): unknown {
  const { list: { parts, schema, example } } = route
  if (schema) return example
  const event = catalogue.eventsOf(route)[0]?.id
  const examples = parts.map(({ projection }) => exampleOf(projection, catalogue.records, event))
  if (parts.length === 0 || examples.includes(undefined)) return undefined
  if (parts[0]?.name === undefined) return examples
  return Object.fromEntries(parts.map(({ name }, index) => [name, [examples[index]]]))
}
