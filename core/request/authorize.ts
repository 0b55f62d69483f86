import {
  type Denial,
  denyCaller,
  denyEvent,
  organizationsOf,
  unauthenticated,
} from "../access/policies.ts"
import type { Admission } from "../access/admission.ts"
import type { Scope } from "../records/resource.ts"
import type { MountedRoute } from "../routes/contract.ts"
import {
  invalidParameters,
  type Parsed,
  parseEventId,
  parsePage,
  type Query,
} from "./listing/query.ts"
import { Problem } from "../http/problems.ts"

/** What the path and the query ask for, with what is wrong with them: told once the caller is known. */
export interface Asked {
  readonly eventId: Parsed<string> | undefined
  readonly query: Parsed<Query> | undefined
}

/** Reads what a request asks for. Nothing is refused yet. */
export function parse(
  { route, params, search }: {
    readonly route: MountedRoute
    readonly params: Readonly<Record<string, string>>
    readonly search: string
  },
): Asked {
  return {
    eventId: params["eventId"] === undefined ? undefined : parseEventId(params["eventId"]),
    query: route.kind === "listing" ? parsePage(search, route.list.parameters) : undefined,
  }
}

/**
 * Lets a caller pass whom the route is for (else 403), who asks for what there is (400) and for an
 * event that is for them (404, 403). Answers what they may see.
 *
 * @throws {Problem}
 */
export function authorize(
  { auth: policy }: MountedRoute,
  { session, access, event }: Admission,
  asked: Asked,
): Scope {
  const denial = denyCaller(policy, session.account)
  if (denial) throw refused(denial)
  const errors = [...(asked.eventId?.errors ?? []), ...(asked.query?.errors ?? [])]
  if (errors.length > 0) throw invalidParameters(errors)
  if (asked.eventId !== undefined) {
    const notTheirs = denyEvent(policy, event)
    if (notTheirs) throw refused(notTheirs)
  }
  return { access, organizations: organizationsOf(policy), eventId: event?.id ?? "" }
}

/** The 401 of whoever has no live session. */
export function notLoggedIn(): Problem {
  return refused(unauthenticated)
}

function refused({ code, detail }: Denial): Problem {
  const headers = { "www-authenticate": 'Session realm="event-export"' }
  return new Problem(code, detail, code === "unauthenticated" ? { headers } : {})
}
