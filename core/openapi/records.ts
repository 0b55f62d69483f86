import type { Fields } from "../records/fields.ts"
import { recordTypes } from "../records/kinds/record-types.ts"
import { type Projection, whole } from "../records/projection.ts"
import { convert, type Json } from "./schemas.ts"

const wholes = new Map(
  [...recordTypes].map(([name, type]) => [name, JSON.stringify(convert(whole(type).schema))]),
)

/**
 * The JSON Schema of what a projection lets through, with descriptions. Its title is the name of the
 * record if it has all the fields, else that name with the plugin's in front.
 */
export function schemaOfRecord({ record, schema }: Projection, plugin: string): Json {
  const converted = convert(schema)
  const isWhole = wholes.get(record) === JSON.stringify(converted)
  return {
    title: isWhole ? record : pascal(plugin) + record,
    ...described(converted, recordTypes.get(record)?.fields ?? {}),
  }
}

/** `connector-x` as `ConnectorX`. */
export function pascal(name: string): string {
  return name.split(/[^A-Za-z0-9]+/).map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("")
}

/** Adds the descriptions of the fields, as far as they are declared. */
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

/** Gives a record within a record, or null, its own title. */
function named(property: Json, record: Fields[string]["record"]): Json {
  const { anyOf } = property
  if (!record || !Array.isArray(anyOf)) return property
  const [inner, ...rest] = anyOf as [Json, ...Json[]]
  return {
    ...property,
    anyOf: [{ title: record.name, ...described(inner, record.fields) }, ...rest],
  }
}
