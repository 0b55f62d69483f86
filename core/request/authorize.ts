import { type Admission, type AdmissionQuestion, lookUpAdmission } from "../access/admission.ts"
import {
  type Denial,
  denyCaller,
  denyEvent,
  denyScope,
  organizationsOf,
  type ScopedRequest,
} from "../access/policies.ts"
import type { TokenScope } from "../access/token-scope.ts"
import type { ClockStep } from "../change-log/clock-steps.ts"
import { assertReached } from "../change-log/heartbeat.ts"
import type { Reader } from "../data/database.ts"
import { Problem } from "../http/problems.ts"
import { isId } from "../records/kinds/values.ts"
import type { List } from "../records/lists/list.ts"
import type { Scope } from "../records/lists/resource.ts"
import type { ListingRoute, MountedRoute } from "../routes/contract.ts"
import type { IncomingRequest } from "./incoming-request.ts"
import {
  invalidParameters,
  parseEventId,
  parseListQuery,
  type ParseResult,
  type QueryInput,
} from "./listing/query.ts"
import type { Node } from "./nodes.ts"
import { notLoggedIn, whyEnded } from "./not-logged-in.ts"
import type { RouteMatch } from "./route-table.ts"

/** The input of a request. Its errors are kept until the caller is known. */
export interface RequestInput {
  /** Undefined if the path names no event. */
  readonly eventId: ParseResult<string> | undefined
  /** `:id` of the path, as it was sent: any text. */
  readonly recordId: string | undefined
  /** Undefined if the route is not a list, or if its `:id` is not an id: then the path does not exist. */
  readonly query: QueryInput | undefined
}

/** A request that is to be answered from a node, as of the node's admission. */
export interface AdmittedRequest {
  readonly admission: Admission
  /** The watermark that the process knew before the admission. */
  readonly watermark: number
  /** When the clock was set back, as of the watermark. */
  readonly steps: readonly ClockStep[]
  /** Where it is read. */
  readonly node: Node
  /** Checks that an admission from there will do. @throws {ServerBehind} if not. */
  readonly assertFit: (admission: Admission) => Promise<void>
  /** Looks up an admission there as of now; equal questions share a statement. @throws {Unavailable} */
  readonly lookUp: (question: AdmissionQuestion) => Promise<Admission | undefined>
}

/** A request for a list, authorized. */
export interface ListRequest extends AdmittedRequest {
  readonly route: MountedRoute & ListingRoute
  readonly incoming: IncomingRequest
  readonly input: RequestInput
  /** The question that the admission answers. */
  readonly question: AdmissionQuestion
}

/** Reads the path and the query string of a request. */
export function readInput({ route, params }: RouteMatch, search: string): RequestInput {
  const { eventId, id } = params ?? {}
  return {
    eventId: eventId === undefined ? undefined : parseEventId(eventId),
    recordId: id,
    query: route.kind === "listing" && (id === undefined || isId(id))
      ? parseListQuery(search, route.list.parameters, route.export)
      : undefined,
  }
}

/** Returns the parameters of a path. @throws {Problem} 400 if it is not text. */
export function paramsOf({ params }: RouteMatch): Readonly<Record<string, string>> {
  if (params) return params
  throw new Problem("malformed_request", "The path is not valid percent-encoding of UTF-8.")
}

/** Returns what the caller may see. @throws {Problem} 403 (caller), 400 (parameters), 404 or 403 (event), in turn. */
export function authorize(
  route: MountedRoute,
  { session, access, event }: Admission,
  { eventId, query }: RequestInput,
): Scope {
  const { auth: policy } = route
  const { account, scope } = session
  const denial = denyCaller(policy, account) ??
    denyByScope(route, scope, eventId?.value)
  if (denial) throw new Problem(denial.code, denial.detail)
  const errors = [...(eventId?.errors ?? []), ...(query?.errors ?? [])]
  if (errors.length > 0) throw invalidParameters(errors)
  if (eventId !== undefined) {
    const eventDenial = denyEvent(policy, event)
    if (eventDenial) throw new Problem(eventDenial.code, eventDenial.detail)
  }
  return { access, organizations: organizationsOf(policy), eventId: event?.id ?? "" }
}

/** Returns why a token may not use a route; undefined if it may. */
export function denyByScope(
  route: MountedRoute,
  scope: TokenScope | undefined,
  eventId: string | undefined,
): Denial | undefined {
  if (!scope || (route.kind === "handler" && route.anyScope)) return undefined
  if (route.kind === "listing") {
    return denyScope(scope, { family: route.prefix, eventId, lists: listsOf(route.list) })
  }
  return denyScope(scope, { family: route.announced && route.prefix, eventId, lists: [] })
}

/** Returns what a list is of; if it does not say so, of guests and items. */
function listsOf({ scope, categories }: List): ScopedRequest["lists"] {
  if (scope === "account") return ["events"]
  if (!categories) return ["guests", "items"]
  return [...new Set(categories.map((each) => each === "guests" ? each : "items"))]
}

/**
 * Repeats the admission of a request for a list, and its checks, so that the caller's rights and the records of a
 * snapshot belong to the same moment. The snapshot must have everything before `nextSince`.
 * @throws {Problem} 401, or as `authorize` does. @throws {ServerBehind}
 */
export async function admitAgain(
  reader: Reader,
  request: ListRequest,
  nextSince = -Infinity,
): Promise<{ readonly admission: Admission; readonly scope: Scope }> {
  return await checkAgain(await lookUpAdmission(reader, request.question), request, nextSince)
}

/** Checks an admission that was repeated. @throws as `admitAgain` does. */
export async function checkAgain(
  admission: Admission | undefined,
  { route, input, node, assertFit, incoming: { request } }: ListRequest,
  nextSince: number,
): Promise<{ readonly admission: Admission; readonly scope: Scope }> {
  if (!admission) throw notLoggedIn(whyEnded(request.headers))
  await assertFit(admission)
  if (admission.heartbeat) assertReached(admission.heartbeat, nextSince, node.isPrimary)
  return { admission, scope: authorize(route, admission, input) }
}
