import type { Admission } from "../access/admission.ts"
import {
  type Denial,
  denyCaller,
  denyEvent,
  organizationsOf,
  unauthenticated,
} from "../access/policies.ts"
import { Problem } from "../http/problems.ts"
import type { Scope } from "../records/resource.ts"
import type { MountedRoute } from "../routes/contract.ts"
import {
  exportLimit,
  invalidParameters,
  maximumLimit,
  parseEventId,
  parseListQuery,
  type ParseResult,
  type QueryInput,
} from "./listing/query.ts"
import type { RouteMatch } from "./route-table.ts"

/** The input of a request. Its errors are kept until the caller is known. */
export interface Input {
  /** Undefined if the path names no event. */
  readonly eventId: ParseResult<string> | undefined
  /** Undefined if the route is not a list. */
  readonly query: QueryInput | undefined
}

/** Reads the path and the query string of a request. */
export function readInput({ route, params }: RouteMatch, search: string): Input {
  return {
    eventId: params?.["eventId"] === undefined ? undefined : parseEventId(params["eventId"]),
    query: route.kind === "listing"
      ? parseListQuery(search, route.list.parameters, {
        most: route.export ? exportLimit : maximumLimit,
      })
      : undefined,
  }
}

/** Returns the parameters of a path. @throws {Problem} 400 if it is not text. */
export function paramsOf({ params }: RouteMatch): Readonly<Record<string, string>> {
  if (params) return params
  throw new Problem("malformed_request", "The path is not valid percent-encoding of UTF-8.")
}

/**
 * Checks the caller (403), the parameters (400) and then the event (404, 403). Returns what the
 * caller may see.
 *
 * @throws {Problem} with the first of these statuses that applies.
 */
export function authorize(
  { auth: policy }: MountedRoute,
  { session, access, event }: Admission,
  { eventId, query }: Input,
): Scope {
  const denial = denyCaller(policy, session.account)
  if (denial) throw refusal(denial)
  const errors = [...(eventId?.errors ?? []), ...(query?.errors ?? [])]
  if (errors.length > 0) throw invalidParameters(errors)
  if (eventId !== undefined) {
    const eventDenial = denyEvent(policy, event)
    if (eventDenial) throw refusal(eventDenial)
  }
  return { access, organizations: organizationsOf(policy), eventId: event?.id ?? "" }
}

/** Returns the 401 of a request without a live session. */
export function notLoggedIn(): Problem {
  return refusal(unauthenticated)
}

function refusal({ code, detail }: Denial): Problem {
  const headers = {
    "www-authenticate": 'Session realm="event-export", Bearer realm="event-export"',
  }
  return new Problem(code, detail, code === "unauthenticated" ? { headers } : {})
}
