import { denyCaller, denyEvent, type Policy, unauthenticated } from "../access/policies.ts"
import { longestBody } from "../http/body.ts"
import { longestUrl } from "../http/guard.ts"
import { Problem, type ProblemCode, problems } from "../http/problems.ts"
import type { MountedRoute } from "../routes/contract.ts"
import { invalidParameters, parseEventId, parsePage } from "./listing/query.ts"

/** The time from which deletions are known, in the example of `resync_required`. */
export const exampleHorizon = 1790000000

/** The detail of each error that the service words itself. */
const exampleProblems: { readonly [C in ProblemCode]?: string } = {
  malformed_request: "Send one Host header, with a name and nothing else.",
  invalid_body: "The body is not JSON.",
  cursor_expired:
    "A cursor can be used for a day. Start again without it, with the same since as before.",
  resync_required:
    `Deletions are known from ${exampleHorizon} on. Read the whole list again with since=-1, ` +
    "forget what is not in it, and go on from its Next-Since.",
  body_too_large: `The body may have ${longestBody} bytes at most.`,
  url_too_long: `The path and query may have ${longestUrl} characters.`,
  unsupported_media_type: "Send JSON with the header content-type: application/json.",
  misdirected_request: "This service is not called by the name in Host.",
  too_fast: "Too many requests in one second. Ask at a steadier pace.",
  too_many_requests:
    "The requests of this hour are used up. Ask for changes only, with since, and less often.",
  too_many_at_once: "You have 4 requests running, as many as you may. Wait for one to end.",
  too_many_log_ins:
    "Too many log-ins failed under this name or from this address. Try again in 2 s.",
  headers_too_large: "The request line and headers may have 16 KiB together.",
  internal: "Something unforeseen happened. The request id leads the operator to it.",
  unavailable: "The service cannot answer now. Nothing was changed; ask again shortly.",
}

/** Returns an error exactly as a route returns it, but for the request id. */
export function exampleProblem(code: ProblemCode, route: MountedRoute): Problem {
  const { auth, pattern } = route
  if (code === "invalid_parameter") {
    const { errors } = pattern.parameters.includes("eventId")
      ? parseEventId(badEventId)
      : parsePage(`?${badQuery}`)
    return invalidParameters(errors)
  }
  const own = route.kind === "handler" ? route.describe?.problems?.[code] : undefined
  const denial = [unauthenticated, ...denialsOf(auth)].find((denial) => denial?.code === code)
  const detail = typeof own === "string" ? own : denial?.detail ?? exampleProblems[code]
  return new Problem(code, detail ?? problems[code].title)
}

/** What the examples of `invalid_parameter` send. */
export const badEventId = "autumn-gala"
/** The same where there is no event in the path. */
export const badQuery = "limit=1001"

/** The denials of a policy: of a stranger, and of a caller who asks for another's event. */
function denialsOf(policy: Policy) {
  const stranger = { id: "", username: "", role: "partner" } as const
  const elsewhere = { id: "", organization: "", status: "" }
  return [
    denyCaller(policy, stranger),
    denyEvent(policy, undefined),
    denyEvent(policy, elsewhere),
  ]
}
