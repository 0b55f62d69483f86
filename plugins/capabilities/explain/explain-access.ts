import { isIP } from "node:net"
import {
  accessOf,
  type Account,
  denyCaller,
  denyEvent,
  findAccount,
  type Role,
  sessionStateOf,
} from "../../../core/accounts.ts"
import { type Database, type Snapshot, UserError } from "../../../core/capability.ts"
import {
  formatMoment,
  type MountedRoute,
  type Policy,
  type ProblemCode,
  problems,
} from "../../../core/plugin.ts"
import type { Denial } from "../../../core/inspection.ts"

/** A question about an account's access to an event. */
interface AccessQuestion {
  readonly username: string
  /** The id of an event, in lower case. */
  readonly eventId: string
  /** Restricts the answer to the routes of this plugin, or to those that begin with this path. */
  readonly family?: string | undefined
  /**
   * The IP address of the request. By default, that of the account's last request; if that is unknown, one that every
   * grant allows.
   */
  readonly address?: string | undefined
  /** Seconds without a request after which a session ends: `session.idle`. */
  readonly idle?: number
}

/** What a request would get, and why. */
interface AccessVerdict {
  readonly status: number
  readonly code: ProblemCode | null
  /** What decides; `session` means that the account has no live session. */
  readonly decider: "account" | "session" | "event" | "grant" | "configuration"
  /** A sentence. */
  readonly reason: string
}

/** What a request to a route would get. */
export interface RouteExplanation extends AccessVerdict {
  readonly route: MountedRoute
  /** The route's path for this event. */
  readonly path: string
  /** The status with a live session; the same if there is one. */
  readonly loggedIn: number
}

/** What an account would get, limits aside. */
export interface AccessExplanation {
  readonly account: { readonly username: string; readonly role: Role }
  /** Undefined if there is no such event. */
  readonly event: { readonly name: string; readonly organization: string } | undefined
  /** The address of the request, with `isLast` if the last request had it; null for one that every grant allows. */
  readonly from: { readonly address: string; readonly isLast: boolean } | null
  readonly routes: readonly RouteExplanation[]
}

/**
 * Explains which status an account would get from an event's routes, and what decides that. Calls the same functions as
 * requests do.
 *
 * @throws {UserError} if there is no such account or route, or if the id or the address is wrong.
 */
export async function explainAccess(
  database: Database,
  routes: readonly MountedRoute[],
  question: AccessQuestion,
): Promise<AccessExplanation> {
  const { username, eventId, family, address: given } = question
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(eventId)) {
    throw new UserError(`${eventId} is not the id of an event: it must be a UUID.`)
  }
  if (given !== undefined && !isIP(given)) {
    throw new UserError(`${given} is not an IP address.`)
  }
  const account = await findAccount(database.writer, username)
  const asked = routes.filter(({ method, plugin, auth, pattern: { text, parameters } }) =>
    method === "GET" && auth.kind !== "anyone" && parameters.includes("eventId") &&
    (family === undefined || plugin === family || isBelow(text, family))
  )
  if (asked.length === 0) {
    throw new UserError(
      family === undefined
        ? "No route of the configuration is about an event."
        : `${family} is not a plugin or prefix with routes about an event. "routes" lists them.`,
    )
  }
  const last = await findLastAddress(database, account.id)
  const address = given ?? last
  const known = await database.snapshot((snapshot) =>
    lookUp(snapshot, account, { ...question, address })
  )
  return {
    account: { username, role: account.role },
    event: known.event,
    from: address === undefined ? null : { address, isLast: address === last },
    routes: asked.map((route) => ({
      route,
      path: route.pattern.text.replace(":eventId", eventId),
      ...explain(route, account, known),
    })),
  }
}

/** Returns the address of an account's last request for a list, if the service records it. */
export async function findLastAddress(
  { writer }: Database,
  accountId: string,
): Promise<string | undefined> {
  const { listed_address: address } = await writer.selectFrom("account_activity")
    .select("listed_address").where("account_id", "=", accountId).executeTakeFirst() ?? {}
  return address && isIP(address) ? address : undefined
}

function isBelow(path: string, family: string): boolean {
  const prefix = `/${family.replace(/^\/|\/$/g, "")}/`
  return path.startsWith(prefix)
}

/** The facts about the account and the event in the database. Times are Unix seconds. */
interface AccessFacts {
  readonly disabled: boolean
  /** Why no session is live; undefined if one is. A disabled account has no live sessions. */
  readonly noSession: string | undefined
  readonly event: AccessExplanation["event"]
  readonly grants: readonly KnownGrant[]
}

/** A grant for the event or its organization. `ignored` says why it is not valid; undefined if it is. */
interface KnownGrant {
  readonly name: string
  readonly ignored: string | undefined
}

async function lookUp(
  { db, dialect, run }: Snapshot,
  account: Account,
  { eventId, address, idle = 0 }: AccessQuestion,
): Promise<AccessFacts> {
  const [{ disabled } = { disabled: 0 }] = await run(
    db.selectFrom("account").select("disabled").where("id", "=", account.id),
  )
  const sessions = await run(
    db.selectFrom("session")
      .select(["created", "used", "expires", "reason", "lasting", dialect.now.as("now")])
      .where("account_id", "=", account.id)
      .orderBy("expires", "desc")
      .limit(1000),
  )
  const states = sessions.map((session) => ({
    ...session,
    state: sessionStateOf({ ...session, disabled }, idle),
  }))
  const [event] = await run(
    db.selectFrom("event")
      .innerJoin("organization", "organization.id", "event.organization_id")
      .select(["event.id", "event.name", "event.organization_id", "organization.slug"])
      .where("event.id", "=", eventId),
  )
  const grants = event === undefined ? [] : await run(
    db.selectFrom("access_grant")
      .select(["organization_id", "event_id", "ends", "networks", dialect.now.as("now")])
      .where("account_id", "=", account.id)
      .where((eb) =>
        eb.or([eb("organization_id", "=", event.organization_id), eb("event_id", "=", event.id)])
      ),
  )
  return {
    disabled: Boolean(disabled),
    noSession: whyNoSession(states),
    event: event && { name: event.name, organization: event.slug },
    grants: grants.map(({ now, ...grant }) => {
      const name = grant.event_id === null ? `organization ${event?.slug}` : "this event"
      const until = grant.ends === null ? "" : `, until ${formatMoment(grant.ends)}`
      const from = grant.networks === null ? "" : `, from ${grant.networks.replaceAll(",", " ")}`
      return {
        name: `the grant for ${name}${until}${from}`,
        ignored: whyIgnored(grant, { now, address }),
      }
    }),
  }
}

interface KnownSession {
  readonly state: ReturnType<typeof sessionStateOf>
  readonly expires: number
  readonly used: number | null
}

function whyNoSession(sessions: readonly KnownSession[]): string | undefined {
  if (sessions.some(({ state }) => state === "live")) return undefined
  const [last] = sessions
  if (!last) return "it has no session: it has never logged in, or not for 90 days"
  const { state, expires, used } = last
  if (state === "idle") {
    return `its last session was not used since ${used === null ? "it began" : formatMoment(used)}`
  }
  if (state === "expired") return `its last session expired at ${formatMoment(expires)}`
  return `its last session ended at ${formatMoment(expires)} (${state})`
}

type GrantColumns = Parameters<typeof accessOf>[0][number]

/** Returns why a grant is not valid; undefined if it is. */
function whyIgnored(
  grant: GrantColumns,
  { now, address }: { readonly now: number; readonly address: string | undefined },
): string | undefined {
  const anywhere = { ...grant, networks: null }
  const counts = (each: GrantColumns) => {
    const access = accessOf([each], { now, address: address ?? "" })
    return access.organizationIds.length + access.eventIds.length > 0
  }
  if (counts(address === undefined ? anywhere : grant)) return undefined
  return counts(anywhere) ? `is not valid from ${address}` : "has ended"
}

function explain(
  route: MountedRoute,
  account: Account,
  known: AccessFacts,
): Omit<RouteExplanation, "route" | "path"> {
  const explained = explainLoggedIn(route, account, known)
  const loggedIn = explained.status
  const sessionless = denyCaller(route.auth, undefined)
  if (!sessionless || known.noSession === undefined) return { ...explained, loggedIn }
  return {
    ...statusOf(sessionless.code),
    ...known.disabled
      ? { decider: "account", reason: `the account ${account.username} is disabled` }
      : { decider: "session", reason: known.noSession },
    loggedIn,
  }
}

/** Explains what the account would get with a live session. */
function explainLoggedIn(route: MountedRoute, account: Account, known: AccessFacts): AccessVerdict {
  const { auth, plugin } = route
  const counting = known.grants.find(({ ignored }) => ignored === undefined)
  const denial = denyCaller(auth, account) ?? denyEvent(auth, counting && known.event)
  if (denial) {
    return { ...statusOf(denial.code), ...whyDenied(denial, { auth, account, known, counting }) }
  }
  if (route.kind === "handler" && route.announced) {
    const reason = `${plugin} only announces this route; the account might use it`
    return { ...statusOf("not_available"), decider: "configuration", reason }
  }
  const { sentence } =
    (route.kind === "listing" && route.list.scope === "event" && route.list.filter) || {}
  const reason = [`${counting?.name ?? "nothing"} lets it read`, sentence].filter(Boolean).join(
    ". ",
  )
  return { status: 200, code: null, decider: "grant", reason }
}

function statusOf(code: ProblemCode): { status: number; code: ProblemCode } {
  return { status: problems[code].status, code }
}

interface Circumstances {
  readonly auth: Policy
  readonly account: Account
  readonly known: AccessFacts
  readonly counting: KnownGrant | undefined
}

function whyDenied(
  { code }: Denial,
  { auth, account: { username, role }, known: { event, grants }, counting }: Circumstances,
): Pick<AccessVerdict, "decider" | "reason"> {
  if (code === "not_operator") {
    return { decider: "account", reason: `its role is ${role}; this is for operators` }
  }
  if (code === "not_service_user" && auth.kind === "service-user") {
    if (auth.username === username) {
      const reason = `its role is ${role}; a service user needs the role service`
      return { decider: "account", reason }
    }
    const reason = `only the service user ${auth.username} may read here`
    return { decider: "configuration", reason }
  }
  if (!event) return { decider: "event", reason: "there is no such event" }
  const { organization } = event
  if (code === "connector_not_enabled" && auth.kind === "granted") {
    const enabled = auth.organizations.join(", ") || "none"
    const reason = `organization ${organization} is not among those that use it: ${enabled}`
    return { decider: "configuration", reason }
  }
  if (counting && auth.kind === "service-user") {
    const reason =
      `this is for events of organization ${auth.organization}, and the event is of ${organization}`
    return { decider: "configuration", reason }
  }
  const ignored = grants.map(({ name, ignored }) => `${name}, ${ignored}`)
  const none = `it has no grant for the event or for organization ${organization}`
  return { decider: "grant", reason: ignored.join("; ") || none }
}
