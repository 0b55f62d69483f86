import * as v from "valibot"
import {
  type Description,
  type ListingRoute,
  type MountedRoute,
  type ProblemCode,
  problems,
} from "../../../core/plugin.ts"
import type { HeaderNames } from "./headers.ts"

/** The body of every error, as in RFC 9457. */
export const problemSchema = v.pipe(
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
interface ProblemStatus {
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

/** The errors of every route. */
const ofAny: readonly ProblemCode[] = [
  "malformed_request",
  "url_too_long",
  "headers_too_large",
  "misdirected_request",
  "too_fast",
  "internal",
  "unavailable",
]

/** The errors of every route that needs a session. */
const ofSessions: readonly ProblemCode[] = [
  "unauthenticated",
  "too_many_requests",
  "too_many_at_once",
]

/** The errors of a handler that reads a body. */
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
  codes.push(...route.kind === "listing" ? ofListing(route.list) : ofHandler(route.describe ?? {}))
  return codes
}

function ofListing({ parameters, hasHorizon }: ListingRoute["list"]): ProblemCode[] {
  const codes: ProblemCode[] = ["invalid_parameter"]
  if (parameters.includes("cursor")) codes.push("cursor_expired")
  if (hasHorizon) codes.push("resync_required")
  return codes
}

function ofHandler({ body, problems = {} }: Partial<Description>): ProblemCode[] {
  const codes = Object.keys(problems) as ProblemCode[]
  return body ? [...codes, ...ofBodies] : codes
}
