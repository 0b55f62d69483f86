import { denyCaller, denyEvent, type Policy } from "../access/policies.ts"
import type { TokenScope } from "../access/token-scope.ts"
import { Problem, type ProblemCode, problems } from "../http/problems.ts"
import type { MountedRoute } from "../routes/contract.ts"
import { denyByScope } from "./authorize.ts"
import { invalidParameters, parseEventId, parseListQuery } from "./listing/query.ts"
import { notLoggedIn, whyUnknown } from "./not-logged-in.ts"

/** Returns an error exactly as a route returns it, but for the request id. */
export function exampleProblem(code: ProblemCode, route: MountedRoute): Problem {
  const { auth, pattern } = route
  if (code === "invalid_parameter") {
    const { errors } = pattern.parameters.includes("eventId")
      ? parseEventId(badEventId)
      : parseListQuery(`?${badQuery}`)
    return invalidParameters(errors)
  }
  if (code === "insufficient_scope") {
    return new Problem(code, denyByScope(route, exampleScope, undefined)?.detail ?? "")
  }
  const described = route.kind === "handler" ? route.describe?.problems?.[code] : undefined
  if (code === "unauthenticated") return notLoggedIn(whyUnknown(new Headers(), ""))
  const denial = denialsOf(auth).find((denial) => denial?.code === code)
  const { title, detail = title }: { title: string; detail?: string } = problems[code]
  return new Problem(code, typeof described === "string" ? described : denial?.detail ?? detail)
}

/** The scope of the token in the example of `insufficient_scope`. */
export const exampleScope: TokenScope = { family: ["/another/v1"], text: "family:/another/v1" }

/** The `eventId` of the example of `invalid_parameter`. */
export const badEventId = "autumn-gala"
/** The query string of that example if the path has no `eventId`. */
export const badQuery = "limit=1001"

/** Returns a policy's denials: of another account, of an unknown event, and of another's event. */
function denialsOf(policy: Policy) {
  const stranger = { id: "", username: "", role: "partner" } as const
  const elsewhere = { id: "", organization: "", status: "" }
  return [denyCaller(policy, stranger), denyEvent(policy, undefined), denyEvent(policy, elsewhere)]
}
