import type { ListingRoute, MountedRoute } from "../../../core/plugin.ts"
import { headersOfLists } from "./headers.ts"
import { pascal } from "./names.ts"
import { familyOf, type Parts, unchanged } from "./parts.ts"
import { exampleOf, schemaOfRecord } from "./records.ts"
import type { Json } from "./schemas.ts"
import { isFeed } from "./selection.ts"

/** Returns the responses of a feed or of a single record. */
export function derivedOf(route: MountedRoute & ListingRoute, parts: Parts): Json {
  const { headers, catalogue: { numbers } } = parts
  const ofFeed = isFeed(route)
  const always = [...headersOfLists.filter((name) => name !== "Next-Since"), "Fields"]
  const waits = numbers.polling.wait > 0 ? ["Preference-Applied"] : []
  const tagged = { always: [...always, "ETag"], sometimes: waits }
  const page = ofFeed ? { always, sometimes: [...waits, "ETag"] } : tagged
  const schema = ofFeed ? feedSchema(route, parts) : recordSchema(route, parts)
  const lines = {
    "application/x-ndjson": {
      schema: {
        type: "string",
        description: "One change per line, and a last line with `next` and `more`.",
      },
    },
  }
  const example = ofFeed ? exampleFeed(route, parts) : exampleRecord(route, parts)
  const examples = example === undefined ? {} : { examples: { page: { value: example } } }
  return {
    200: {
      description: ofFeed ? "A page of changes, oldest first." : "The record.",
      headers: headers.of(page),
      content: { "application/json": { schema, ...examples }, ...ofFeed ? lines : {} },
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
      more: { type: "boolean", description: "True if there are more changes: ask again at once." },
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
