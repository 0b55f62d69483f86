import { toJsonSchema } from "@valibot/to-json-schema"
import type { GenericSchema } from "valibot"

/** A part of an OpenAPI document: plain JSON. */
export type Json = Readonly<Record<string, unknown>>

/** Returns components sorted by name. */
export function sortedByName(components: ReadonlyMap<string, Json>): Json {
  return Object.fromEntries([...components].sort(([a], [b]) => a < b ? -1 : 1))
}

/**
 * A document's schema components. A schema with a title becomes a component of that name and is replaced by a
 * reference. If different schemas share a title, later ones get a number.
 */
export class Schemas {
  readonly #named = new Map<string, Json>()

  /** Converts a valibot schema to a JSON Schema or a reference. */
  of(schema: GenericSchema, kind: "response" | "request" = "response"): Json {
    return this.add(convert(schema, kind))
  }

  /** Returns a JSON Schema with its components replaced by references. */
  add(schema: Json): Json {
    return this.#hoist(schema) as Json
  }

  /** All components, by name. */
  get components(): Json {
    return sortedByName(this.#named)
  }

  #hoist(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.#hoist(each))
    if (typeof value !== "object" || value === null) return value
    const inside = Object.fromEntries(
      Object.entries(value).map(([name, part]) => [name, this.#hoist(part)]),
    )
    const { title, ...rest } = inside
    return typeof title === "string" ? this.#refer(title, rest) : inside
  }

  #refer(title: string, schema: Json): Json {
    const text = JSON.stringify(schema)
    for (let number = 1;; number++) {
      const name = number === 1 ? title : `${title}${number}`
      if (JSON.stringify(this.#named.get(name) ?? schema) !== text) continue
      this.#named.set(name, schema)
      return { $ref: `#/components/schemas/${name}` }
    }
  }
}

/**
 * Converts to the JSON Schema of OpenAPI 3.1. Objects in responses allow unknown fields, because
 * generated clients must accept fields that are added later. Objects in requests stay strict.
 */
export function convert(schema: GenericSchema, kind: "response" | "request" = "response"): Json {
  const known = converted[kind].get(schema)
  if (known) return known
  const { $schema: _, ...rest } = toJsonSchema(schema as never, {
    target: "draft-2020-12",
    errorMode: "ignore",
    typeMode: "input",
    overrideSchema: ({ valibotSchema, jsonSchema }) =>
      valibotSchema.type === "loose_object"
        ? { ...jsonSchema, additionalProperties: true }
        : undefined,
    overrideAction: ({ valibotAction }) =>
      valibotAction.type === "safe_integer" ? { type: "integer", format: "int64" } : undefined,
  }) as Record<string, unknown>
  const json = simplify(rest, kind === "response") as Json
  converted[kind].set(schema, json)
  return json
}

const converted = {
  response: new WeakMap<GenericSchema, Json>(),
  request: new WeakMap<GenericSchema, Json>(),
}

function simplify(value: unknown, open: boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => simplify(each, open))
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value)
    .filter(([name, part]) =>
      name !== "propertyNames" && !(open && name === "additionalProperties" && part === false)
    )
    .map(([name, part]) => [name, simplify(part, open)] as const)
  return nullable(Object.fromEntries(entries))
}

/** Shortens `anyOf` of a plain type and null to a list of types. */
function nullable(schema: Json): Json {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const [one, other] = anyOf as [Json, Json]
  const plain = other["type"] === "null" && typeof one["type"] === "string" &&
    one["type"] !== "object" && !("enum" in one)
  return plain ? { ...rest, ...one, type: [one["type"], "null"] } : schema
}
