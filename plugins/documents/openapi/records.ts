import { type Catalogue, type Projection, type RecordType, whole } from "../../../core/plugin.ts"
import { pascal } from "./names.ts"
import { convert, type Json } from "./schemas.ts"

type Fields = RecordType["fields"]

/**
 * Returns the JSON Schema of a projection's records, with descriptions. Its title is the record's name, prefixed with
 * the plugin's if it lacks fields.
 */
export function schemaOfRecord(
  { record, schema, own }: Projection,
  { plugin, records }: { readonly plugin: string } & Pick<Catalogue, "records">,
): Json {
  const type = records.get(record)
  const converted = convert(schema)
  const isWhole = type !== undefined && schemaOfWhole(type) === JSON.stringify(converted)
  return {
    title: isWhole ? record : pascal(plugin) + record,
    ...described(converted, { ...type?.fields, ...own }),
  }
}

/**
 * Returns an example of a projection's record; undefined if the projection rewrites records. With an event's id, it is
 * that event or a record of it.
 */
export function exampleOf(
  { record, fields, own, rewritten }: Projection,
  records: Catalogue["records"],
  eventId?: string,
): Json | undefined {
  const type = records.get(record)
  if (!type || rewritten) return undefined
  const ofEvent = record === "Event" ? "id" : "eventId"
  return Object.fromEntries(
    fields.map((name) => [
      name,
      name === ofEvent && eventId !== undefined
        ? eventId
        : (own[name] ?? type.fields[name])?.example,
    ]),
  )
}

const wholes = new WeakMap<RecordType, string>()

function schemaOfWhole(type: RecordType): string {
  const schema = wholes.get(type) ?? JSON.stringify(convert(whole(type).schema))
  wholes.set(type, schema)
  return schema
}

/** Adds the declared descriptions of the fields. */
function described(schema: Json, fields: Fields): Json {
  const properties = Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, Json>>)
  return {
    ...schema,
    properties: Object.fromEntries(properties.map(([name, property]) => {
      const { description, record } = fields[name] ?? {}
      return [name, { ...(description ? { description } : {}), ...named(property, record) }]
    })),
  }
}

/** Gives a nested record its own title, even if it may be null. */
function named(property: Json, record: Fields[string]["record"]): Json {
  const { anyOf } = property
  if (!record || !Array.isArray(anyOf)) return property
  const [inner, ...rest] = anyOf as [Json, ...Json[]]
  return {
    ...property,
    anyOf: [{ title: record.name, ...described(inner, record.fields) }, ...rest],
  }
}
