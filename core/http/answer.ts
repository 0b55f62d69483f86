import {
  type Denial,
  denyCaller,
  denyEvent,
  organizationsOf,
  type Policy,
  unauthenticated,
} from "../auth/policies.ts"
import type { Snapshot } from "../data/database.ts"
import { findGrantedEvent, type GrantedEvent } from "../data/events.ts"
import type { Scope } from "../data/resource.ts"
import { findSession, type Session, type SessionKey } from "../data/sessions.ts"
import type { MountedRoute } from "../mount.ts"
import type { Services } from "./app.ts"
import { handle } from "./handle.ts"
import { type ReadListing, readListing, respondListing } from "./listing.ts"
import {
  invalidParameters,
  type Parsed,
  parseEventId,
  parsePage,
  type Query,
} from "./parameters.ts"
import { Problem } from "./problems.ts"
import { continueWalk } from "./walk.ts"

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

  const { session, read } = await database.snapshot(async (snapshot) => {
    const { session, event } = await authorize({ policy: route.auth, key, asked }, snapshot)
    call.entry["account"] = session.account.username
    return { session, read: await list(call, { session, event, asked, services }, snapshot) }
  })
  if (route.kind !== "listing") {
    return await handle(route, { request, params, session, sessions, status }, timeLimit)
  }
  if (!read) throw new TypeError(`${route.pattern.text}: nothing was read`)
  return respondListing({ request, route }, read, services)
}

/** What the path and the query ask for, with what is wrong with them: told once the caller is known. */
interface Asked {
  readonly eventId: Parsed<string> | undefined
  readonly query: Parsed<Query> | undefined
}

function parse({ route, params, search }: Call): Asked {
  return {
    eventId: params["eventId"] === undefined ? undefined : parseEventId(params["eventId"]),
    query: route.kind === "listing" ? parsePage(search, route.resource.parameters) : undefined,
  }
}

async function authorize(
  { policy, key, asked }: { policy: Policy; key: SessionKey; asked: Asked },
  snapshot: Snapshot,
): Promise<{ session: Session; event: GrantedEvent | undefined }> {
  const session = await findSession(snapshot, key)
  const denial = denyCaller(policy, session?.account)
  if (denial || !session) throw refused(denial ?? unauthenticated)

  const errors = [...(asked.eventId?.errors ?? []), ...(asked.query?.errors ?? [])]
  if (errors.length > 0) throw invalidParameters(errors)

  if (asked.eventId?.value === undefined) return { session, event: undefined }
  const event = await findGrantedEvent(snapshot, session.account.id, asked.eventId.value)
  const notTheirs = denyEvent(policy, event)
  if (notTheirs) throw refused(notTheirs)
  return { session, event }
}

async function list(
  { route }: Call,
  { session, event, asked, services }: {
    readonly session: Session
    readonly event: GrantedEvent | undefined
    readonly asked: Asked
    readonly services: Services
  },
  snapshot: Snapshot,
): Promise<ReadListing | undefined> {
  if (route.kind !== "listing" || !asked.query?.value) return undefined
  const { account, now } = session
  const eventId = event?.id ?? ""
  const binding = { accountId: account.id, route: route.pattern.text, eventId }
  const { query, nextSince } = continueWalk(asked.query.value, { binding, now, services })
  const scope: Scope = {
    accountId: account.id,
    organizations: organizationsOf(route.auth),
    eventId,
  }
  const listed = await readListing(route, { scope, query }, snapshot)
  return { listed, query, nextSince, binding, now, status: event?.status }
}

function refused({ code, detail }: Denial): Problem {
  const headers = { "www-authenticate": 'Session realm="event-export"' }
  return new Problem(code, detail, code === "unauthenticated" ? { headers } : {})
}
