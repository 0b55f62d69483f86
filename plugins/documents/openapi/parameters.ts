import type { Catalogue, ListingParameter, MountedRoute } from "../../../core/plugin.ts"
import { camel, pascal } from "./names.ts"
import type { Json } from "./schemas.ts"

/** The request headers that routes declare. `Accept` is not among them, since OpenAPI ignores such a parameter. */
const requestHeaders = {
  "If-None-Match": {
    description:
      "The `ETag` of the last response to this request: you get 304 if nothing has changed or been " +
      "deleted. Store it together with `Next-Since`, only after the last page of records and of deletions.",
    schema: { type: "string" },
    example: '"none"',
  },
  Prefer: {
    description:
      "`wait=50`, with `If-None-Match` or `since`: if nothing has changed, the response comes as soon as " +
      "something does, or after this number of seconds. `Preference-Applied` says if the service waited.",
    schema: { type: "string" },
    example: "wait=0",
  },
} as const satisfies Record<string, Json>

/**
 * A document's parameters, to which routes refer: path parameters first, then query parameters, then headers. Tools
 * send the examples of optional parameters, so these have an example only if it changes nothing.
 */
export class Parameters {
  readonly #referred = new Map<string, Json>()

  /** Returns the parameters of a route in the named family. */
  of(route: MountedRoute, family: string, catalogue: Catalogue): Json[] {
    const { parameters: own = {}, requestHeaders: ownHeaders = {} } =
      (route.kind === "handler" ? route.describe : undefined) ?? {}
    return [
      ...route.pattern.parameters.map((name) => {
        if (name === "eventId") return this.#eventId(route, family, catalogue)
        if (name === "id" && route.kind === "listing") return recordId(route, catalogue)
        return pathParameter(name, own[name] ?? "Any text.")
      }),
      ...route.kind === "listing"
        ? route.list.parameters.map((name) =>
          route.export && (name === "limit" || name === "since")
            ? this.#refer(`${name}OfExport`, ofExport(name, catalogue))
            : this.#refer(name, inQuery(name, catalogue))
        )
        : [],
      ...headersOf(route, catalogue).map((name) =>
        this.#refer(camel(name), { name, in: "header", ...requestHeaders[name] })
      ),
      ...Object.entries(ownHeaders).map(([name, words]) => (
        { name, in: "header", schema: { type: "string" }, ...words }
      )),
    ]
  }

  /** The parameters that are referenced, by name. */
  get components(): Json {
    return Object.fromEntries(this.#referred)
  }

  /** The example is an event that the reader may read, if one is known; it may differ between families. */
  #eventId(route: MountedRoute, family: string, { records, eventsOf }: Catalogue): Json {
    const parameter = {
      ...pathParameter(
        "eventId",
        "The `id` of an event from the family's list of events, in upper or lower case.",
      ),
      schema: { type: "string", format: "uuid" },
      example: eventsOf(route)[0]?.id ?? records.get("Event")?.fields["id"]?.example,
    }
    const found = this.#referred.get("eventId") ?? parameter
    const isCommon = JSON.stringify(found) === JSON.stringify(parameter)
    return this.#refer(isCommon ? "eventId" : `eventIdOf${pascal(family)}`, parameter)
  }

  #refer(key: string, parameter: Json): Json {
    this.#referred.set(key, parameter)
    return { $ref: `#/components/parameters/${key}` }
  }
}

function inQuery(name: ListingParameter, { parameters }: Catalogue): Json {
  const { description, schema } = parameters[name]
  const { pattern } = schema
  // Without a default, tools make up a text that matches the pattern.
  const mayBeEmpty = !("default" in schema) && typeof pattern === "string" &&
    new RegExp(pattern).test("")
  return { name, in: "query", description, schema, ...mayBeEmpty ? { example: "" } : {} }
}

/** Returns a parameter of exports. Without `since`, an export has all records. */
function ofExport(name: "limit" | "since", { parameters, limitOfExports }: Catalogue): Json {
  const { description, schema } = parameters.since
  const described = name === "limit"
    ? limitOfExports
    : { description, schema: { ...schema, default: -1 } }
  return { name, in: "query", ...described }
}

/** Returns the names of the headers that a route reads. */
function headersOf(
  route: MountedRoute,
  { numbers: { polling: { wait } } }: Catalogue,
): (keyof typeof requestHeaders)[] {
  if (route.kind === "listing") {
    return route.export ? [] : ["If-None-Match", ...wait > 0 ? ["Prefer" as const] : []]
  }
  return 304 in (route.describe?.answers ?? {}) ? ["If-None-Match"] : []
}

/** Returns the path parameter of a single record, with the list's example as its example. */
function recordId(
  { list: { parts } }: Extract<MountedRoute, { readonly kind: "listing" }>,
  { records }: Catalogue,
): Json {
  return {
    ...pathParameter("id", "The `id` of the record, in upper or lower case."),
    schema: { type: "string", format: "uuid" },
    example: records.get(parts[0]?.projection.record ?? "")?.fields["id"]?.example,
  }
}

function pathParameter(name: string, description: string): Json {
  return { name, in: "path", required: true, description, schema: { type: "string", minLength: 1 } }
}
