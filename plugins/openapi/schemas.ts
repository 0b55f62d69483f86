import { toJsonSchema } from "@valibot/to-json-schema"
import type { GenericSchema } from "valibot"

/** A part of an OpenAPI document, which is made of plain JSON. */
export type Json = Readonly<Record<string, unknown>>

/**
 * The schemas that a document names. One with a title becomes a component of that name, and what
 * used it a reference; of different ones with the same title, the later ones get a number.
 */
export class Schemas {
  readonly #named = new Map<string, { readonly schema: Json; readonly text: string }>()

  /** The JSON Schema of a valibot schema, or a reference to it. */
  of(schema: GenericSchema, kind: "answer" | "request" = "answer"): Json {
    return this.add(convert(schema, kind))
  }

  /** The same of a JSON Schema. */
  add(schema: Json): Json {
    return this.#hoist(schema) as Json
  }

  /** All that have been named, by their names. */
  get components(): Json {
    const sorted = [...this.#named].sort(([a], [b]) => a < b ? -1 : 1)
    return Object.fromEntries(sorted.map(([name, { schema }]) => [name, schema]))
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
      const found = this.#named.get(name)
      if (found && found.text !== text) continue
      this.#named.set(name, { schema, text })
      return { $ref: `#/components/schemas/${name}` }
    }
  }
}

/**
 * Converts to the JSON Schema of OpenAPI 3.1. Objects of answers are left open: fields may be added,
 * and a client that was generated before has to take them. Those of requests are as they are.
 */
export function convert(schema: GenericSchema, kind: "answer" | "request" = "answer"): Json {
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
  const json = simplify(rest, kind === "answer") as Json
  converted[kind].set(schema, json)
  return json
}

const converted = {
  answer: new WeakMap<GenericSchema, Json>(),
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

/** `anyOf` a plain type and null, in the shorter form that readers know. */
function nullable(schema: Json): Json {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const [one, other] = anyOf as [Json, Json]
  const plain = other["type"] === "null" && typeof one["type"] === "string" &&
    one["type"] !== "object" && !("enum" in one)
  return plain ? { ...rest, ...one, type: [one["type"], "null"] } : schema
}
