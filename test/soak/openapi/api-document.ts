import type { ErrorObject, ValidateFunction } from "ajv"
import { Ajv2020 } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import { templateOf } from "../../../plugins/documents/openapi/operation.ts"
import type { Json } from "../../../plugins/documents/openapi/schemas.ts"
import type { MountedRoute } from "../../../core/routes/contract.ts"

/** The description of a response, with references resolved. */
export interface ResponseDescription {
  readonly headers: Readonly<Record<string, { readonly required?: true; readonly schema: Json }>>
  /** Schemas and examples by media type. */
  readonly content: Readonly<
    Record<string, { readonly schema: Json; readonly examples?: Readonly<Record<string, Json>> }>
  >
}

/** A response, with its body as text. */
export interface TextResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Headers of HTTP itself, and headers for browsers that are the same on all responses. */
const transportHeaders = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "date",
  "keep-alive",
  "transfer-encoding",
  "content-security-policy",
  "cross-origin-resource-policy",
  "referrer-policy",
  "x-content-type-options",
])

/** An OpenAPI document to compare responses with. */
export class ApiDocument {
  readonly #document: Json
  readonly #validators = new Map<string, ValidateFunction>()
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true })

  constructor(document: Json) {
    this.#document = closeObjects(joinParts(document, document)) as Json
    formats.default(this.#ajv)
    this.#ajv.addSchema(this.#document, "document")
  }

  /** Returns the responses of a route, by status. */
  responsesOf(route: MountedRoute): ReadonlyMap<number, ResponseDescription> {
    const paths = this.#document["paths"] as Record<string, Record<string, Json>>
    const operation = paths[templateOf(route.pattern.text)]?.[route.method.toLowerCase()]
    const responses = (operation?.["responses"] ?? {}) as Record<string, Json>
    return new Map(
      Object.entries(responses).map(([status, response]) => {
        const { headers = {}, content = {} } = this.#resolve(response) as Partial<
          ResponseDescription
        >
        return [Number(status), {
          headers: this.#resolveEach(headers) as ResponseDescription["headers"],
          content: Object.fromEntries(
            Object.entries(content).map(([type, { schema, examples = {} }]) => [
              type,
              { schema, examples: this.#resolveEach(examples) as Record<string, Json> },
            ]),
          ),
        }]
      }),
    )
  }

  /** Lists the differences between a response and its description. */
  differences(route: MountedRoute, { status, headers, text }: TextResponse): string[] {
    const described = this.responsesOf(route).get(status)
    if (!described) return [`${status} is not described`]
    const names = new Map(
      Object.entries(described.headers).map(([name, header]) => [name.toLowerCase(), header]),
    )
    const sent = [...headers.keys()].filter((name) => !transportHeaders.has(name))
    return [
      ...sent.filter((name) => !names.has(name)).map((name) => `${name} is not described`),
      ...[...names].flatMap(([name, { required, schema }]) => {
        const value = headers.get(name)
        if (value === null) return required ? [`${name} is missing`] : []
        const typed = schema["type"] === "integer" ? Number(value) : value
        return this.#errors(schema, typed).map((error) => `${name} ${error}`)
      }),
      ...this.#contentDifferences(described, headers.get("content-type"), text),
    ]
  }

  #contentDifferences(
    { content }: ResponseDescription,
    contentType: string | null,
    text: string,
  ): string[] {
    const [type = ""] = (contentType ?? "").split(";")
    const described = content[type] ?? content[type.replace(/\/.*/, "/*")]
    if (Object.keys(content).length === 0) return text === "" ? [] : ["a body is not described"]
    if (!described) return [`${type} is not described`]
    return this.#errors(described.schema, /[/+]json$/.test(type) ? JSON.parse(text) : text)
  }

  #errors(schema: Json, value: unknown): string[] {
    const text = JSON.stringify(schema)
    const validate = this.#validators.get(text) ?? this.#ajv.compile(atDocument(schema) as Json)
    this.#validators.set(text, validate)
    validate(value)
    return (validate.errors ?? []).map(({ instancePath, message, params }: ErrorObject) =>
      `${instancePath} ${message} ${JSON.stringify(params)}`
    )
  }

  #resolveEach(values: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> {
    return Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, this.#resolve(value)]),
    )
  }

  #resolve(value: Json): Json {
    return resolveIn(this.#document, value)
  }
}

/** Returns what a reference names in the document; other values as they are. */
function resolveIn(document: Json, value: Json): Json {
  const reference = value["$ref"]
  if (typeof reference !== "string") return value
  const names = reference.replace("#/", "").split("/")
  return names.reduce((part, name) => part[name] as Json, document)
}

/** Makes one object of the parts of each `allOf`, so that it can be closed. */
function joinParts(value: unknown, document: Json): unknown {
  if (Array.isArray(value)) return value.map((part) => joinParts(part, document))
  if (typeof value !== "object" || value === null) return value
  if (!("allOf" in value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [name, joinParts(part, document)]),
    )
  }
  const parts = (value.allOf as Json[]).map((part) => resolveIn(document, part))
  return {
    type: "object",
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required }) => required),
  }
}

/** Closes all objects of the document, which are open for later fields, to find extra fields. */
function closeObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closeObjects)
  if (typeof value !== "object" || value === null) return value
  const inside = Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, closeObjects(part)]),
  )
  const isObject = inside["type"] === "object" && "properties" in inside &&
    !("additionalProperties" in inside)
  return isObject ? { ...inside, additionalProperties: false } : inside
}

/** Returns the schema with references that name the document. */
function atDocument(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(atDocument)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      name === "$ref" ? `document${part}` : atDocument(part),
    ]),
  )
}
