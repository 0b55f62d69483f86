import {
  type Denial,
  denyCaller,
  denyEvent,
  organizationsOf,
  unauthenticated,
} from "../auth/policies.ts"
import type { Snapshot } from "../data/database.ts"
import { findGrantedEvent, type GrantedEvent } from "../data/events.ts"
import { type Access, findAccess } from "../data/grants.ts"
import type { Scope } from "../data/resource.ts"
import { findSession, type Session, type SessionKey } from "../data/sessions.ts"
import type { MountedRoute } from "../mount.ts"
import type { Peer, Services } from "./app.ts"
import type { Entry } from "./answered.ts"
import { describeAnswer, describeListing } from "./describe-listing.ts"
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
import { sessionControl } from "./session-control.ts"
import type { Stopwatch } from "./timing.ts"
import { continueWalk } from "./walk.ts"

/** A request that has found its route. `entry` is its line in the log. */
export interface Call {
  readonly route: MountedRoute
  readonly request: Request
  readonly params: Readonly<Record<string, string>>
  readonly search: string
  readonly entry: Entry
  readonly peer: Peer
  readonly watch: Stopwatch
}

/**
 * Answers a request, always in this order: who calls (401), whether they ask too much (429), whether
 * the route is for them (403), what they ask for (400), whether the event is for them (404, 403), and
 * only then the records.
 * All that is read for a listing is read in one snapshot.
 *
 * @throws {Problem} for whatever the caller should know.
 */
export async function answer(call: Call, services: Services): Promise<Response> {
  const { route, request, params } = call
  const { status, readiness, timeLimit } = services

  if (route.auth.kind === "anyone") {
    if (route.kind === "listing") {
      throw new TypeError(`${route.pattern.text}: a listing is never for anyone`)
    }
    await services.limits.chargeAddress(call.peer.address, familyOf(route))
    const sessions = sessionControl(services, call)
    const openapi = () => describe(call, undefined, services)
    const context = { request, params, session: undefined, sessions, status, readiness, openapi }
    return await handle(route, context, timeLimit)
  }

  call.watch.enter("auth")
  const asked = parse(call)
  if (route.kind === "listing") {
    Object.assign(call.entry, describeListing(call.search, asked.eventId?.value))
  }
  const key = await services.sessions.read(request.headers.get("cookie"))
  if (!key) throw refused(unauthenticated)

  return await services.limits.run(key.session, () => answerSession(call, { key, asked }, services))
}

async function answerSession(
  call: Call,
  { key, asked }: { key: SessionKey; asked: Asked },
  services: Services,
): Promise<Response> {
  const { route, request, params } = call
  const { database, status, readiness, timeLimit, limits } = services
  const sessions = sessionControl(services, call)

  const { session, admission, read } = await database.snapshot(async (snapshot) => {
    const session = await findSession(snapshot, key, services.sessions.idle)
    limits.own(key.session, session?.account.id)
    if (!session) throw refused(unauthenticated)
    call.entry.account = session.account.username
    call.entry.role = session.account.role
    const admission = await limits.charge(session.account.id, familyOf(route))
    const allowed = await authorize(call, { session, asked }, snapshot)
    return {
      session,
      admission,
      read: await list(call, { session, allowed, asked, services }, snapshot),
    }
  }, call.watch)
  services.activity.used(session)
  call.watch.enter("encode")
  if (read) Object.assign(call.entry, describeAnswer(call.search, read.listed.body))
  const response = route.kind === "handler"
    ? await handle(
      route,
      {
        ...{ request, params, session, sessions, status, readiness },
        openapi: () => describe(call, session, services),
      },
      timeLimit,
    )
    : respondListing({ request, route }, read as ReadListing, services)
  if (!response?.headers) return response
  const fields = await admission.settle(response.status)
  for (const [name, value] of Object.entries(fields)) response.headers.set(name, value)
  return response
}

function describe(
  { request, peer: { address } }: Call,
  session: Session | undefined,
  { openapi }: Services,
) {
  return openapi({ session, address, origin: new URL(request.url).origin })
}

/** The routes that an account's limits are counted together for. */
function familyOf({ plugin, pattern }: MountedRoute): string {
  return `${plugin} ${pattern.text.split("/").slice(0, 3).join("/")}`
}

/** What the caller may read, and the event that was asked for. */
interface Allowed {
  readonly access: Access
  readonly event: GrantedEvent | undefined
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
  { route: { auth: policy }, peer }: Call,
  { session, asked }: { session: Session; asked: Asked },
  snapshot: Snapshot,
): Promise<Allowed> {
  const denial = denyCaller(policy, session.account)
  if (denial) throw refused(denial)

  const errors = [...(asked.eventId?.errors ?? []), ...(asked.query?.errors ?? [])]
  if (errors.length > 0) throw invalidParameters(errors)

  const access = await findAccess(snapshot, session.account.id, peer.address)
  if (asked.eventId?.value === undefined) return { access, event: undefined }
  const event = await findGrantedEvent(snapshot, access, asked.eventId.value)
  const notTheirs = denyEvent(policy, event)
  if (notTheirs) throw refused(notTheirs)
  return { access, event }
}

async function list(
  { route, watch }: Call,
  { session, allowed: { access, event }, asked, services }: {
    readonly session: Session
    readonly allowed: Allowed
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
    access,
    organizations: organizationsOf(route.auth),
    eventId,
  }
  watch.enter("project")
  const listed = await readListing(route, { scope, query }, snapshot)
  return { listed, query, nextSince, binding, now, status: event?.status }
}

function refused({ code, detail }: Denial): Problem {
  const headers = { "www-authenticate": 'Session realm="event-export"' }
  return new Problem(code, detail, code === "unauthenticated" ? { headers } : {})
}
