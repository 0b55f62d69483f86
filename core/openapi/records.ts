import { guestDeletion, itemDeletion } from "../records/deletions.ts"
import { event } from "../records/events.ts"
import { guest } from "../records/guests.ts"
import { auctionItem, buyNowItem, gliRaffle, pledge, raffle, ticket } from "../records/items.ts"
import { type Projection, type RecordType, whole } from "../records/projection.ts"
import { describeField, nestedRecords } from "./fields.ts"
import { convert, type Json } from "./schemas.ts"

/** Every kind of record. */
export const recordTypes: readonly RecordType[] = [
  ...[event, guest, buyNowItem, auctionItem, pledge, raffle, gliRaffle, ticket],
  ...[guestDeletion, itemDeletion],
]

const wholes = new Map(
  recordTypes.map((type) => [type.name, JSON.stringify(convert(whole(type).schema))]),
)

/**
 * The JSON Schema of what a projection lets through, with descriptions, and with its name for a
 * title: that of the record where it is all of it, else with the plugin's name in front.
 */
export function schemaOfRecord({ record, schema }: Projection, plugin: string): Json {
  const converted = convert(schema)
  const isWhole = wholes.get(record) === JSON.stringify(converted)
  return { title: isWhole ? record : pascal(plugin) + record, ...described(converted, record) }
}

/** `connector-x` as `ConnectorX`. */
export function pascal(name: string): string {
  return name.split(/[^A-Za-z0-9]+/).map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("")
}

function described(schema: Json, record: string): Json {
  const properties = Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, Json>>)
  return {
    ...schema,
    properties: Object.fromEntries(properties.map(([name, property]) => {
      const description = describeField(record, name)
      return [name, { ...(description ? { description } : {}), ...named(property, name) }]
    })),
  }
}

/** A record within a record, or null, gets the name that it is known by. */
function named(property: Json, field: string): Json {
  const title = nestedRecords[field]
  const { anyOf } = property
  if (title === undefined || !Array.isArray(anyOf)) return property
  const [inner, ...rest] = anyOf as [Json, ...Json[]]
  return { ...property, anyOf: [{ title, ...described(inner, title) }, ...rest] }
}
