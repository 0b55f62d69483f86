import type { GenericSchema } from "valibot"
import type {
  Catalogue,
  Description,
  HandlerRoute,
  ListingRoute,
  MountedRoute,
} from "../../../core/plugin.ts"
import type { ResponseHeaders } from "./headers.ts"
import { capital, pascal } from "./names.ts"
import type { Parameters } from "./parameters.ts"
import { exampleOf, schemaOfRecord } from "./records.ts"
import type { ProblemResponses } from "./problems.ts"
import type { Json, Schemas } from "./schemas.ts"

/** The parts of a document that operations refer to, and what the document is about. */
interface Parts {
  readonly catalogue: Catalogue
  /** The name of each route's family. */
  readonly families: ReadonlyMap<MountedRoute, string>
  readonly schemas: Schemas
  readonly problems: ProblemResponses
  readonly headers: ResponseHeaders
  readonly parameters: Parameters
}

/** Writes `/events/:eventId` as `/events/{eventId}`. */
export function templateOf(path: string): string {
  return path.replaceAll(/:([a-zA-Z]\w*)/g, "{$1}")
}

/** Returns the operation of a route, without its name. */
export function operationOf(route: MountedRoute, parts: Parts): Json {
  const announced = route.kind === "handler" && route.announced === true
  return {
    tags: [route.plugin],
    ...wordsOf(route, parts),
    ...announced ? { "x-announced": true } : {},
    security: securityOf(route),
    parameters: parts.parameters.of(route, familyOf(route, parts), parts.catalogue),
    ...route.kind === "handler" ? requestOf(route, parts) : {},
    responses: {
      ...route.kind === "handler" ? answersOf(route, parts) : pagesOf(route, parts),
      ...parts.problems.of(route, parts),
    },
  }
}

function familyOf(route: MountedRoute, { families }: Parts): string {
  return families.get(route) ?? route.plugin
}

/**
 * Returns the ways to bring a session. Importers use the first: a cookie that the log-in has set. To end a session,
 * it is the token, because a collection of all operations would end its own session in the middle.
 */
function securityOf({ auth, method }: MountedRoute): Json[] {
  if (auth.kind === "anyone") return []
  const ways = [{ session: [] }, { bearer: [] }]
  return method === "DELETE" ? ways.toReversed() : ways
}

function wordsOf(route: MountedRoute, parts: Parts): Json {
  const own: Partial<Description> = route.kind === "handler" ? route.describe ?? {} : {
    summary: `${capital(route.list.name)}${route.export ? ", in one response" : ""}`,
    description: `${route.list.summary} ${pollingOf(route, parts)}`,
  }
  const { summary = `${route.method} ${route.pattern.text}`, description = "" } = own
  return { summary, ...description ? { description } : {} }
}

/** Returns how a list is polled, for readers who do not look at its headers. */
function pollingOf({ list: { parameters, of } }: ListingRoute, parts: Parts): string {
  if (of) {
    return parameters.includes("after")
      ? "`Accept` chooses JSON or NDJSON. Store the changes of a page by `category` and `id`, then `next`. Send that as " +
        "`after`: at once if there is `more`, else in the next poll. A change may come twice."
      : "`If-None-Match` asks whether it has changed."
  }
  return parameters.includes("cursor")
    ? (hasRows(parts) ? "`Accept` chooses JSON, NDJSON or CSV. " : "") +
      'If there is another page, its URL is in `Link`, as `rel="next"`. Send `Next-Since` of the first page as ' +
      "`since` in the next poll."
    : "`Copy` says whether your copy is the same, if `mine` and `fields` describe it."
}

function requestOf({ describe }: HandlerRoute, { schemas }: Parts): Json {
  if (!describe?.body) return {}
  const schema = schemas.of(describe.body, "request")
  const content = { "application/json": { schema, ...exampleRequest(schema) } }
  return { requestBody: { required: true, content } }
}

/** Returns an example of a body, if each of its properties has one. */
function exampleRequest({ properties = {} }: Json): Json {
  const examples = Object.entries(properties as Record<string, { examples?: unknown[] }>)
    .map(([name, { examples = [] }]) => [name, examples[0]])
  const isWhole = examples.length > 0 && examples.every(([, example]) => example !== undefined)
  return isWhole ? { example: Object.fromEntries(examples) } : {}
}

/** Returns the responses of a handler. Without a description, only a 200 is known. */
function answersOf(route: MountedRoute & HandlerRoute, { schemas, headers }: Parts): Json {
  const { answers = { 200: null }, headers: own = [] } = route.describe ?? {}
  const limits = route.auth.kind === "anyone" ? [] : ["RateLimit", "RateLimit-Policy"]
  const isAlways = (name: string) => !name.endsWith("?")
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [status, {
      description: Number(status) === 304 ? unchanged : "Done.",
      headers: headers.of({
        always: ["X-Request-Id", ...limits, ...own.filter(isAlways)],
        sometimes: own.filter((name) => !isAlways(name)).map((name) => name.slice(0, -1)),
      }),
      ...answer === null ? {} : { content: contentOf(answer, schemas) },
    }]),
  )
}

function contentOf(answer: GenericSchema | string, schemas: Schemas): Json {
  return typeof answer === "string"
    ? { [answer]: { schema: { type: "string" } } }
    : { "application/json": { schema: schemas.of(answer) } }
}

const unchanged = "Nothing has changed since the response with this `ETag`."
const unchangedPage =
  "Nothing on this page or after it has changed, and nothing was deleted, since the response with this `ETag`."

/** The headers of every list. */
const ofLists = [
  "X-Request-Id",
  "Cache-Control",
  "Vary",
  "Next-Since",
  "Poll-Interval",
  "RateLimit",
  "RateLimit-Policy",
]

/** Returns the response of a whole list. */
function wholeOf({ headers }: Parts): Json {
  const description =
    "All records, newest first. NDJSON, and CSV as `text/csv; end=line`, have a last line with their number, the " +
    "SHA-256 of all bytes before it, and the URL of the rest: without that line, the response is truncated. Other " +
    "CSV is whole, or its connection breaks. In parts: `limit`, and the URL of the rest."
  return {
    200: {
      description,
      headers: headers.of({ always: [...ofLists, "Fields"], sometimes: ["Content-Disposition"] }),
      content: rows,
    },
  }
}

/** True if lists have forms in which each record is a row. */
function hasRows({ catalogue: { numbers } }: Parts): boolean {
  return numbers.export.records > 0
}

/** The forms of a list beside JSON. OpenAPI says by them what `Accept` may be: it ignores a parameter of that name. */
const rows: Readonly<Record<string, Json>> = {
  "application/x-ndjson": {
    schema: {
      type: "string",
      description:
        "A record per line, as in the arrays of JSON. Items begin with `category`. Other names: " +
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
        "`text/csv; for=spreadsheet` puts an apostrophe before what a spreadsheet would compute: otherwise, that is " +
        "the task of whoever opens the file in one.",
    },
  },
}

function pagesOf(route: MountedRoute & ListingRoute, parts: Parts): Json {
  if (route.export) return wholeOf(parts)
  if (route.list.of) return derivedOf(route, parts)
  const { headers } = parts
  const { parameters, bundle, hasHorizon, fields, schema } = route.list
  const hasPages = parameters.includes("cursor")
  const isRows = !schema && hasRows(parts)
  const own = hasHorizon ? ["Complete-Since"] : fields === undefined ? [] : ["Fields"]
  const always = [...ofLists, ...own]
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

/** Returns the responses of a feed, or of a single record. */
function derivedOf(route: MountedRoute & ListingRoute, parts: Parts): Json {
  const { headers, catalogue: { numbers } } = parts
  const isFeed = route.list.parameters.includes("after")
  const always = [...ofLists.filter((name) => name !== "Next-Since"), "Fields"]
  const waits = numbers.polling.wait > 0 ? ["Preference-Applied"] : []
  const tagged = { always: [...always, "ETag"], sometimes: waits }
  const page = isFeed ? { always, sometimes: [...waits, "ETag"] } : tagged
  const schema = isFeed ? feedSchema(route, parts) : recordSchema(route, parts)
  const lines = {
    "application/x-ndjson": {
      schema: {
        type: "string",
        description: "A change per line, and a last line with `next` and `more`.",
      },
    },
  }
  const example = isFeed ? exampleFeed(route, parts) : exampleRecord(route, parts)
  const examples = example === undefined ? {} : { examples: { page: { value: example } } }
  return {
    200: {
      description: isFeed ? "A page of changes, oldest first." : "The record.",
      headers: headers.of(page),
      content: { "application/json": { schema, ...examples }, ...isFeed ? lines : {} },
    },
    304: { description: unchanged, headers: headers.of(tagged) },
  }
}

/** Returns the schemas of a list's records, by category. */
function recordSchemas(
  { list: { parts } }: ListingRoute,
  { schemas, catalogue: { records } }: Parts,
  plugin: string,
): Record<string, Json> {
  return Object.fromEntries(
    parts.map(({ name = "guests", projection }) => [
      name,
      schemas.add(schemaOfRecord(projection, { plugin, records })),
    ]),
  )
}

function recordSchema(route: MountedRoute & ListingRoute, parts: Parts): Json {
  const { guests, ...items } = recordSchemas(route, parts, familyOf(route, parts))
  return guests ?? {
    anyOf: Object.entries(items).map(([category, record]) => ({
      allOf: [
        {
          type: "object",
          properties: { category: { type: "string", enum: [category] } },
          required: ["category"],
        },
        record,
      ],
    })),
  }
}

function feedSchema(route: MountedRoute & ListingRoute, parts: Parts): Json {
  const family = familyOf(route, parts)
  const records = recordSchemas(route, parts, family)
  const lists = [...new Set(route.list.of?.map(({ name }) => name))]
    .filter((name) => name === "guests" || name === "items")
  const id = { type: "string", description: "Unique within the category." }
  const one = (of: readonly string[], category: readonly string[], own: Json) => {
    const properties = {
      list: { type: "string", enum: of },
      category: { type: "string", enum: category },
      id,
      ...own,
    }
    return { type: "object", properties, required: Object.keys(properties) }
  }
  const change = parts.schemas.add({
    title: `${pascal(family)}Change`,
    description: "With `record`, it was inserted or changed. With `deleted`, it is gone.",
    anyOf: [
      ...Object.entries(records).map(([category, record]) =>
        one([category === "guests" ? category : "items"], [category], { record })
      ),
      one(lists, Object.keys(records), {
        deleted: { type: "integer", format: "int64", description: "When, in Unix seconds." },
      }),
    ],
  })
  return parts.schemas.add({
    title: `${pascal(family)}Changes`,
    type: "object",
    properties: {
      changes: { type: "array", items: change },
      next: {
        type: "string",
        description: "Send it as `after`. Store it after the page, and nothing else.",
      },
      more: { type: "boolean", description: "True if others follow: ask again at once." },
    },
    required: ["changes", "next", "more"],
  })
}

function exampleRecord(route: MountedRoute & ListingRoute, { catalogue }: Parts): unknown {
  const [part] = route.list.parts
  const event = catalogue.eventsOf(route)[0]?.id
  const record = part && exampleOf(part.projection, catalogue.records, event)
  return record && { ...part.name === undefined ? {} : { category: part.name }, ...record }
}

function exampleFeed(route: MountedRoute & ListingRoute, { catalogue }: Parts): unknown {
  const event = catalogue.eventsOf(route)[0]?.id
  const changes = route.list.parts.map(({ name = "guests", projection }, index) => {
    const record = exampleOf(projection, catalogue.records, event)
    const list = name === "guests" ? "guests" : "items"
    const change = { list, category: name, id: record?.["id"] }
    return index === 1 ? { ...change, deleted: 1790007200 } : { ...change, record }
  })
  const isKnown = changes.every(({ id }) => id !== undefined)
  return isKnown ? { changes, next: exampleCursor, more: false } : undefined
}

const exampleCursor = "WzEsMTc5MDAwNzIwMCwxNzkwMDA3MjAwXQ.Zm9yIHRoaXMgZmVlZA"

/** Returns the shape of a page: that of the resource if it has one, else that of its projections. */
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
