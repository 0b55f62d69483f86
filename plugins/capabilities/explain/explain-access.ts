import { isIP } from "node:net"
import {
  accessOf,
  type Account,
  type Database,
  type Denial,
  denyCaller,
  denyEvent,
  findAccount,
  formatMoment,
  type MountedRoute,
  type Policy,
  type ProblemCode,
  problems,
  type Role,
  type Snapshot,
  stateOf,
  UserError,
} from "../../../core/capability.ts"

/** Whose access to what is explained. */
export interface AccessQuestion {
  readonly username: string
  /** The id of an event, in lower case. */
  readonly eventId: string
  /** Only the routes of this plugin, or those that begin with this path. */
  readonly family?: string | undefined
  /** The IP address that the request comes from; without it, from a network that each grant allows. */
  readonly address?: string | undefined
  /** Seconds without a request after which a session ends: `session.idle`. */
  readonly idle?: number
}

/** What decides about a request: the account, its sessions, the event, a grant, or the configuration. */
export type Decider = "account" | "session" | "event" | "grant" | "configuration"

/** What a request to a route would get, and why. */
export interface RouteExplanation {
  readonly route: MountedRoute
  /** The path for the event. */
  readonly path: string
  readonly status: number
  readonly code: ProblemCode | null
  readonly decider: Decider
  /** A sentence. */
  readonly reason: string
  /** The status with a live session; the same if there is one. */
  readonly loggedIn: number
}

/** What an account would get, limits aside. */
export interface AccessExplanation {
  readonly account: { readonly username: string; readonly role: Role; readonly disabled: boolean }
  readonly event:
    | { readonly id: string; readonly name: string; readonly organization: string }
    | null
  readonly routes: readonly RouteExplanation[]
}

/**
 * Explains which status an account would get from the routes of an event, and what decides that. Asks the
 * same functions as requests do.
 *
 * @throws {UserError} if there is no such account, or no such route, or if the id or the address is none.
 */
export async function explainAccess(
  database: Database,
  routes: readonly MountedRoute[],
  question: AccessQuestion,
): Promise<AccessExplanation> {
  const { username, eventId, family, address } = question
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(eventId)) {
    throw new UserError(`${eventId} is not the id of an event: it must be a UUID.`)
  }
  if (address !== undefined && !isIP(address)) {
    throw new UserError(`${address} is not an IP address.`)
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
        : `${family} is no plugin or prefix with routes about an event. "routes" lists them.`,
    )
  }
  const known = await database.snapshot((snapshot) => lookUp(snapshot, account, question))
  return {
    account: { username, role: account.role, disabled: known.disabled },
    event: known.event ?? null,
    routes: asked.map((route) => ({
      route,
      path: route.pattern.text.replace(":eventId", eventId),
      ...explain(route, account, known),
    })),
  }
}

function isBelow(path: string, family: string): boolean {
  const prefix = `/${family.replace(/^\/|\/$/g, "")}/`
  return path.startsWith(prefix)
}

/** What the database knows. Times are Unix seconds. */
interface Known {
  readonly disabled: boolean
  /** Why no session is live; undefined if one is. Those of a disabled account are not. */
  readonly noSession: string | undefined
  readonly event: NonNullable<AccessExplanation["event"]> | undefined
  readonly grants: readonly KnownGrant[]
}

/** A grant for the event or its organization, and why it does not count; undefined if it does. */
interface KnownGrant {
  readonly name: string
  readonly ignored: string | undefined
}

async function lookUp(
  { db, dialect, run }: Snapshot,
  account: Account,
  { eventId, address, idle = 0 }: AccessQuestion,
): Promise<Known> {
  const [state] = await run(
    db.selectFrom("account").select(["disabled", "epoch"]).where("id", "=", account.id),
  )
  const disabled = Boolean(state?.disabled)
  const sessions = await run(
    db.selectFrom("session")
      .select(["created", "used", "expires", "reason", dialect.now.as("now")])
      .where("account_id", "=", account.id)
      .orderBy("expires", "desc")
      .limit(1000),
  )
  const states = sessions.map((session) => ({
    ...session,
    state: stateOf({ ...session, disabled: state?.disabled ?? 0 }, idle),
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
    disabled,
    noSession: whyNoSession(states),
    event: event && { id: event.id, name: event.name, organization: event.slug },
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

type KnownSession = {
  readonly state: ReturnType<typeof stateOf>
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

/** Returns why a grant does not count; undefined if it does. */
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
  return counts(anywhere) ? `does not count from ${address}` : "has ended"
}

type Explained = Omit<RouteExplanation, "route" | "path">

function explain(route: MountedRoute, account: Account, known: Known): Explained {
  const loggedIn = explainLoggedIn(route, account, known)
  const sessionless = denyCaller(route.auth, undefined)
  if (!sessionless || known.noSession === undefined) return loggedIn
  return {
    ...statusOf(sessionless),
    ...known.disabled
      ? { decider: "account", reason: `the account ${account.username} is disabled` }
      : { decider: "session", reason: known.noSession },
    loggedIn: loggedIn.status,
  }
}

/** Explains what the account gets with a live session. */
function explainLoggedIn(route: MountedRoute, account: Account, known: Known): Explained {
  const { auth } = route
  const { event, grants } = known
  const counting = grants.find(({ ignored }) => ignored === undefined)
  const denial = denyCaller(auth, account) ?? denyEvent(auth, counting && event)
  const explained = denial
    ? { ...statusOf(denial), ...whyDenied(denial, { auth, account, known, counting }) }
    : route.kind === "handler" && route.announced
    ? {
      status: problems.not_available.status,
      code: "not_available" as const,
      decider: "configuration" as const,
      reason: `${route.plugin} only announces this route; the account might use it`,
    }
    : {
      status: 200,
      code: null,
      decider: "grant" as const,
      reason: `${counting?.name ?? "nothing"} lets it read`,
    }
  return { ...explained, loggedIn: explained.status }
}

function statusOf({ code }: Denial): { status: number; code: ProblemCode } {
  return { status: problems[code].status, code }
}

interface Circumstances {
  readonly auth: Policy
  readonly account: Account
  readonly known: Known
  readonly counting: KnownGrant | undefined
}

function whyDenied(
  { code }: Denial,
  { auth, account, known: { event, grants }, counting }: Circumstances,
): Pick<Explained, "decider" | "reason"> {
  const { username, role } = account
  switch (code) {
    case "not_operator":
      return { decider: "account", reason: `its role is ${role}; this is for operators` }
    case "not_service_user":
      return auth.kind === "service-user" && auth.username === username
        ? {
          decider: "account",
          reason: `its role is ${role}; a service user needs the role service`,
        }
        : {
          decider: "configuration",
          reason: `only the service user ${
            auth.kind === "service-user" ? auth.username : ""
          } may read here`,
        }
    case "connector_not_enabled":
      return {
        decider: "configuration",
        reason: `organization ${event?.organization} is not among those that use it: ` +
          `${auth.kind === "granted" ? auth.organizations.join(", ") || "none" : ""}`,
      }
    default:
      break
  }
  if (!event) return { decider: "event", reason: "there is no such event" }
  if (counting) {
    return {
      decider: "configuration",
      reason: `this is for events of organization ${
        auth.kind === "service-user" ? auth.organization : ""
      }, and the event is of ${event.organization}`,
    }
  }
  const ignored = grants.map(({ name, ignored }) => `${name}, ${ignored}`)
  return {
    decider: "grant",
    reason: ignored.join("; ") ||
      `it has no grant for the event or for organization ${event.organization}`,
  }
}
