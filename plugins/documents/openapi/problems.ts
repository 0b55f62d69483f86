import * as v from "valibot"
import {
  type Catalogue,
  type Description,
  type ListingRoute,
  type MountedRoute,
  type ProblemCode,
  problems,
} from "../../../core/plugin.ts"
import type { HeaderNames, ResponseHeaders } from "./headers.ts"
import { pascal } from "./names.ts"
import { type Json, type Schemas, sortedByName } from "./schemas.ts"
import { isFeed } from "./selection.ts"

/** The request id in the examples. */
export const exampleRequestId = "b7c1f0de-58a6-4f0c-9d3e-2a41c6f5e810"

/** A document's error responses. Routes with the same errors share them. */
export class ProblemResponses {
  readonly #responses = new Map<string, Json>()
  readonly #examples = new Map<string, Json>()

  /** Returns references to the errors of a route, by status. */
  of(route: MountedRoute, { catalogue, schemas, headers: components }: {
    readonly catalogue: Catalogue
    readonly schemas: Schemas
    readonly headers: ResponseHeaders
  }): Json {
    return Object.fromEntries(
      problemsOf(route).map(({ status, codes, headers }) => {
        const examples = codes.map((code) => this.#nameExample(code, route, catalogue))
        const name = add(this.#responses, variants(nameOf(examples), route).map(pascal), {
          description: codes.map((code) => `${problems[code].title} (\`${code}\`)`).join("; or: "),
          headers: components.of(headers),
          content: {
            "application/problem+json": {
              schema: schemas.of(problemSchema),
              examples: Object.fromEntries(
                codes.map((code, index) => [code, {
                  $ref: `#/components/examples/${examples[index]}`,
                }]),
              ),
            },
          },
        })
        return [status, { $ref: `#/components/responses/${name}` }]
      }),
    )
  }

  /** The responses that are referenced, by name. */
  get responses(): Json {
    return sortedByName(this.#responses)
  }

  /** The examples of these responses, by name. */
  get examples(): Json {
    return sortedByName(this.#examples)
  }

  #nameExample(code: ProblemCode, route: MountedRoute, { example }: Catalogue): string {
    const problem = example(code, route).toJSON(exampleRequestId)
    const isForgotten = code === "resync_required" && isFeed(route)
    const value = isForgotten ? { ...problem, detail: beginAgain } : problem
    const ofEvent = code === "invalid_parameter" && route.pattern.parameters.includes("eventId")
    return add(this.#examples, variants(ofEvent ? "invalid_event_id" : code, route), {
      summary: problems[code].title,
      value,
    })
  }
}

/** The detail of the feed's 410 after deletions were forgotten. Its short URL lets families share the example. */
const beginAgain =
  "Deletions after the cursor are no longer known. Empty the copy, and begin again without it: " +
  "GET …/changes"

function nameOf(examples: readonly string[]): string {
  return examples.map(pascal).join("Or")
}

/** Returns names for an error, from general to specific: for most routes, for a plugin, for one route. */
function variants(name: string, { plugin, method, pattern: { text } }: MountedRoute): string[] {
  const path = text.replaceAll(/[^A-Za-z0-9]+/g, "_")
  return [name, `${name}_${plugin}`, `${name}_${method.toLowerCase()}${path}`]
}

/** Stores a value under the first name that is free or already has this value, and returns the name. */
function add(kept: Map<string, Json>, names: readonly string[], value: Json): string {
  const text = JSON.stringify(value)
  const isFree = (name: string) => !kept.has(name) || JSON.stringify(kept.get(name)) === text
  const name = names.find(isFree)
  if (name === undefined) throw new TypeError(`no name is left for the error ${names[0]}`)
  kept.set(name, value)
  return name
}

/** The body of every error, as in RFC 9457. */
const problemSchema = v.pipe(
  v.object({
    type: v.pipe(
      v.string(),
      v.description("`/problems/` followed by the code: leads to its explanation."),
    ),
    title: v.pipe(v.string(), v.description("The same for every error with this code.")),
    status: v.pipe(v.number(), v.integer(), v.description("The status of the response.")),
    detail: v.pipe(v.string(), v.description("For people: what failed here, and what to do.")),
    code: v.pipe(
      v.string(),
      v.description("For programs. More codes may be added."),
      v.examples(Object.keys(problems)),
    ),
    requestId: v.pipe(
      v.string(),
      v.description("The value of `X-Request-Id`. Operators find it in the logs."),
    ),
    errors: v.pipe(
      v.optional(v.array(v.object({
        parameter: v.string(),
        value: v.pipe(v.nullable(v.string()), v.description("As in the request.")),
        detail: v.string(),
      }))),
      v.description("Only with `invalid_parameter`: all wrong parameters."),
    ),
  }),
  v.title("Problem"),
)

/** An error status of a route, with its codes and headers. */
interface ProblemStatus {
  readonly status: number
  readonly codes: readonly ProblemCode[]
  readonly headers: HeaderNames
}

/** Returns the errors of a route by status, with codes in the order of the table of problems. */
export function problemsOf(route: MountedRoute): ProblemStatus[] {
  const possible = new Set(codesOf(route))
  const codes = (Object.keys(problems) as ProblemCode[]).filter((code) => possible.has(code))
  const byStatus = Map.groupBy(codes, (code) => problems[code].status)
  return [...byStatus].sort(([a], [b]) => a - b).map(([status, codes]) => {
    const own = codes.map((code) => [
      ...ownHeaders[code] ?? [],
      ...code === "resync_required" && isFeed(route) ? ["Link"] : [],
    ])
    const all = [...new Set(own.flat())]
    const always = all.filter((name) => own.every((names) => names.includes(name)))
    const sometimes = all.filter((name) => !always.includes(name))
    return {
      status,
      codes,
      headers: { always: [...common, ...always], sometimes },
    }
  })
}

const common = ["X-Request-Id", "Cache-Control"]

/** The headers of particular errors. */
const ownHeaders: { readonly [C in ProblemCode]?: readonly string[] } = {
  unauthenticated: ["WWW-Authenticate"],
  resync_required: ["Complete-Since"],
  too_fast: ["Retry-After", "RateLimit", "RateLimit-Policy"],
  too_many_requests: ["Retry-After", "RateLimit", "RateLimit-Policy"],
  too_many_at_once: ["Retry-After"],
  too_many_log_ins: ["Retry-After"],
  unavailable: ["Retry-After"],
}

/** The errors that every route may return. */
const ofAny: readonly ProblemCode[] = [
  "malformed_request",
  "url_too_long",
  "headers_too_large",
  "misdirected_request",
  "too_fast",
  "internal",
  "unavailable",
]

/** The errors that every route with a session may return. */
const ofSessions: readonly ProblemCode[] = [
  "unauthenticated",
  "too_many_requests",
  "too_many_at_once",
]

/** The errors of handlers that read a body. */
const ofBodies: readonly ProblemCode[] = [
  "invalid_body",
  "body_too_large",
  "unsupported_media_type",
]

function codesOf(route: MountedRoute): ProblemCode[] {
  const { auth, pattern } = route
  const codes = [...ofAny]
  if (auth.kind !== "anyone") codes.push(...ofSessions)
  if (auth.kind === "operator") codes.push("not_operator")
  if (auth.kind === "service-user") codes.push("not_service_user")
  if (auth.kind !== "anyone" && pattern.parameters.includes("eventId")) {
    codes.push("invalid_parameter", "event_not_found")
    if (auth.kind === "granted") codes.push("connector_not_enabled")
  }
  codes.push(...route.kind === "listing" ? ofListing(route) : ofHandler(route.describe ?? {}))
  return codes
}

function ofListing(
  { list: { parameters, hasHorizon }, pattern }: MountedRoute & ListingRoute,
): ProblemCode[] {
  const codes: ProblemCode[] = ["invalid_parameter", "insufficient_scope"]
  if (pattern.parameters.includes("id")) codes.push("record_not_found")
  if (parameters.includes("cursor")) codes.push("cursor_expired")
  if (hasHorizon) codes.push("resync_required")
  return codes
}

function ofHandler({ body, problems = {} }: Partial<Description>): ProblemCode[] {
  const codes = Object.keys(problems) as ProblemCode[]
  return body ? [...codes, ...ofBodies] : codes
}
