import {
  type Denial,
  denyCaller,
  denyEvent,
  organizationsOf,
  type Policy,
  unauthenticated,
} from "../auth/policies.ts"
import type { Snapshot } from "../data/database.ts"
import { findGrantedEvent } from "../data/events.ts"
import type { Page } from "../data/page.ts"
import type { Scope } from "../data/resource.ts"
import { findSession, type Session, type SessionKey } from "../data/sessions.ts"
import type { MountedRoute } from "../mount.ts"
import type { Services } from "./app.ts"
import { handle } from "./handle.ts"
import { invalidParameters, type Parsed, parseEventId, parsePage } from "./parameters.ts"
import { Problem } from "./problems.ts"
import { privateHeaders, respondJson } from "./respond.ts"

/** A request that has found its route. `entry` is its line in the log. */
export interface Call {
  readonly route: MountedRoute
  readonly request: Request
  readonly params: Readonly<Record<string, string>>
  readonly search: string
  readonly entry: Record<string, unknown>
}

/**
 * Answers a request, always in this order: who calls (401), whether the route is for them (403),
 * what they ask for (400), whether the event is for them (404, 403), and only then the records.
 * All that is read for a listing is read in one snapshot.
 *
 * @throws {Problem} for whatever the caller should know.
 */
export async function answer(call: Call, services: Services): Promise<Response> {
  const { route, request, params } = call
  const { database, sessions, status, timeLimit } = services

  if (route.auth.kind === "anyone") {
    if (route.kind === "listing") {
      throw new TypeError(`${route.pattern.text}: a listing is never for anyone`)
    }
    return await handle(route, { request, params, session: undefined, sessions, status }, timeLimit)
  }

  const key = await sessions.read(request.headers.get("cookie"))
  if (!key) throw refused(unauthenticated)
  const asked = parse(call)

  const { session, records } = await database.snapshot(async (snapshot) => {
    const session = await authorize({ policy: route.auth, key, asked }, snapshot)
    call.entry["account"] = session.account.username
    return { session, records: await list(route, { session, asked }, snapshot) }
  })
  return route.kind === "listing"
    ? respondJson(records, { headers: privateHeaders })
    : await handle(route, { request, params, session, sessions, status }, timeLimit)
}

/** What the path and the query ask for, with what is wrong with them: told once the caller is known. */
interface Asked {
  readonly eventId: Parsed<string> | undefined
  readonly page: Parsed<Page> | undefined
}

function parse({ route, params, search }: Call): Asked {
  return {
    eventId: params["eventId"] === undefined ? undefined : parseEventId(params["eventId"]),
    page: route.kind === "listing" ? parsePage(search) : undefined,
  }
}

async function authorize(
  { policy, key, asked }: { policy: Policy; key: SessionKey; asked: Asked },
  snapshot: Snapshot,
): Promise<Session> {
  const session = await findSession(snapshot, key)
  const denial = denyCaller(policy, session?.account)
  if (denial || !session) throw refused(denial ?? unauthenticated)

  const errors = [...(asked.eventId?.errors ?? []), ...(asked.page?.errors ?? [])]
  if (errors.length > 0) throw invalidParameters(errors)

  if (asked.eventId?.value !== undefined) {
    const event = await findGrantedEvent(snapshot, session.account.id, asked.eventId.value)
    const denial = denyEvent(policy, event)
    if (denial) throw refused(denial)
  }
  return session
}

async function list(
  route: MountedRoute,
  { session, asked }: { session: Session; asked: Asked },
  snapshot: Snapshot,
): Promise<unknown> {
  if (route.kind !== "listing" || !asked.page?.value) return undefined
  const scope: Scope = {
    accountId: session.account.id,
    organizations: organizationsOf(route.auth),
    eventId: asked.eventId?.value ?? "",
  }
  return await route.resource.list(snapshot, scope, asked.page.value, route.project)
}

function refused({ code, detail }: Denial): Problem {
  const headers = { "www-authenticate": 'Session realm="event-export"' }
  return new Problem(code, detail, code === "unauthenticated" ? { headers } : {})
}
