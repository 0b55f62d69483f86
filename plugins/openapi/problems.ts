import * as v from "valibot"
import {
  type Description,
  type ListingRoute,
  type MountedRoute,
  type ProblemCode,
  problems,
} from "../../core/plugin.ts"
import { deprecationOf, type HeaderNames } from "./headers.ts"

/** The body of every error, as in RFC 9457. */
export const problemSchema = v.pipe(
  v.object({
    type: v.pipe(v.string(), v.description("`urn:event-export:problem:` followed by the code.")),
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
      v.description("As in `X-Request-Id`. Operators find it in the logs."),
    ),
    errors: v.pipe(
      v.optional(v.array(v.object({
        parameter: v.string(),
        value: v.pipe(v.nullable(v.string()), v.description("As the request has it.")),
        detail: v.string(),
      }))),
      v.description("Only with `invalid_parameter`: all wrong parameters."),
    ),
  }),
  v.title("Problem"),
)

/** A status that a route returns for errors, with their codes and headers. */
export interface ProblemStatus {
  readonly status: number
  readonly codes: readonly ProblemCode[]
  readonly headers: HeaderNames
}

/** Returns the errors of a route by status. The codes are in the order of the table of problems. */
export function problemsOf(route: MountedRoute): ProblemStatus[] {
  const possible = new Set(codesOf(route))
  const codes = (Object.keys(problems) as ProblemCode[]).filter((code) => possible.has(code))
  const byStatus = Map.groupBy(codes, (code) => problems[code].status)
  return [...byStatus].sort(([a], [b]) => a - b).map(([status, codes]) => {
    const own = codes.map((code) => ownHeaders[code] ?? [])
    const all = [...new Set(own.flat())]
    const always = all.filter((name) => own.every((names) => names.includes(name)))
    const sometimes = all.filter((name) => !always.includes(name))
    const early = codes.filter((code) => beforeRouting.includes(code)).length
    const late = deprecationOf(route)
    return {
      status,
      codes,
      headers: {
        always: [...common, ...always, ...early === 0 ? late : []],
        sometimes: [...sometimes, ...early > 0 ? late : []],
      },
    }
  })
}

const common = ["X-Request-Id", "Cache-Control"]

/** Errors that may occur before the route of a request is known. */
const beforeRouting: readonly ProblemCode[] = [
  ...["malformed_request", "body_too_large", "url_too_long"] as const,
  ...["headers_too_large", "misdirected_request"] as const,
]

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

function codesOf(route: MountedRoute): ProblemCode[] {
  const { auth, pattern } = route
  const ofEvent = auth.kind !== "anyone" && pattern.parameters.includes("eventId")
  return [
    ...["malformed_request", "url_too_long", "headers_too_large"] as const,
    ...["misdirected_request", "internal", "unavailable"] as const,
    ...auth.kind === "anyone" ? ["too_fast"] as const : [
      ...["unauthenticated", "too_fast", "too_many_requests", "too_many_at_once"] as const,
    ],
    ...auth.kind === "operator" ? ["not_operator"] as const : [],
    ...auth.kind === "service-user" ? ["not_service_user"] as const : [],
    ...ofEvent ? ["invalid_parameter", "event_not_found"] as const : [],
    ...ofEvent && auth.kind === "granted" ? ["connector_not_enabled"] as const : [],
    ...route.kind === "listing" ? ofListing(route.list) : ofHandler(route.describe ?? {}),
  ]
}

function ofListing({ parameters, hasHorizon }: ListingRoute["list"]): ProblemCode[] {
  return [
    "invalid_parameter",
    ...parameters.includes("cursor") ? ["cursor_expired"] as const : [],
    ...hasHorizon ? ["resync_required"] as const : [],
  ]
}

function ofHandler({ body, problems = {} }: Partial<Description>): ProblemCode[] {
  return [
    ...Object.keys(problems) as ProblemCode[],
    ...body ? ["invalid_body", "body_too_large", "unsupported_media_type"] as const : [],
  ]
}
