import type { Database, Reader } from "../data/database.ts"
import type { EndReason, Role } from "../data/service-tables.ts"
import { findAccount } from "./accounts.ts"

/**
 * The state of a session. `paused`: its account is disabled, and it will count again once it is not.
 * The reasons say why a session ended before its time.
 */
export type SessionState = "live" | "paused" | "idle" | "expired" | EndReason

/** A session as the operator sees it. Times are Unix seconds. */
export interface SessionListing {
  readonly id: string
  readonly username: string
  readonly role: Role
  readonly began: number
  /** Exact to a minute; null means not since it began. */
  readonly used: number | null
  /** When it ends, or when it ended. */
  readonly ends: number
  readonly state: SessionState
  /** True if a newer session is to take its place, and it is only left to end. */
  readonly replaced: boolean
}

/** How sessions are listed. */
interface ListOptions {
  /** Seconds without a request after which a session ends: `session.idle`. 0, the default, means never. */
  readonly idle?: number
  /** The most sessions; by default 1000. */
  readonly limit?: number
}

/**
 * Returns the latest sessions of an account, or of all: first those that end last. Those that ended 90
 * days ago are forgotten.
 *
 * @throws {UserError} if the account does not exist.
 */
export async function listSessions(
  database: Database,
  username?: string,
  { idle = 0, limit = 1000 }: ListOptions = {},
): Promise<SessionListing[]> {
  const account = username === undefined ? undefined : await findAccount(database.writer, username)
  const rows = await database.readOnce((reader) =>
    reader.run(
      sessionsOfAccounts(reader)
        .modifyFront(
          reader.dialect.byIndex("session", account ? "session_expires" : "session_ends"),
        )
        .$if(account !== undefined, (query) => query.where("account_id", "=", account?.id ?? ""))
        .orderBy("expires", "desc")
        .orderBy("session.id", "desc")
        .limit(limit),
    )
  )
  return rows.map((row) => listingOf(row, idle))
}

const aDay = 86_400

/** Whoever makes a session for longer, in seconds, means it for an unattended program. */
const longLifetime = 14 * aDay

/**
 * Returns the sessions of unattended programs that end within so many seconds, the next to end first:
 * those that were made for more than two weeks, were used within the last day, and are not being
 * replaced.
 */
export async function listExpiring(
  database: Database,
  seconds: number,
): Promise<SessionListing[]> {
  const rows = await database.readOnce((reader) => {
    const { now } = reader.dialect
    return reader.run(
      sessionsOfAccounts(reader)
        .modifyFront(reader.dialect.byIndex("session", "session_ends"))
        .where("expires", ">", now)
        .where((eb) => eb("expires", "<=", eb(now, "+", seconds)))
        .where("session.reason", "is", null)
        .where("account.disabled", "=", 0)
        .where((eb) => eb(eb("expires", "-", eb.ref("session.created")), ">", longLifetime))
        .where((eb) => eb("used", ">=", eb(now, "-", aDay)))
        .orderBy("expires")
        .orderBy("session.id"),
    )
  })
  return rows.map((row) => listingOf(row, 0))
}

/** Returns when the first session of each unattended program ends, by the account's name. */
export async function findSessionEnds(database: Database): Promise<ReadonlyMap<string, number>> {
  const ends = new Map<string, number>()
  for (const session of await listExpiring(database, 10 * 366 * aDay)) {
    if (session.role === "operator" || ends.has(session.username)) continue
    ends.set(session.username, session.ends)
  }
  return ends
}

function sessionsOfAccounts({ db, dialect }: Reader) {
  return db.selectFrom("session")
    .innerJoin("account", "account.id", "session.account_id")
    .select([
      "session.id",
      "account.username",
      "account.role",
      "account.disabled",
      "session.created",
      "session.used",
      "session.expires",
      "session.reason",
      dialect.now.as("now"),
    ])
}

type Row = Awaited<ReturnType<ReturnType<typeof sessionsOfAccounts>["execute"]>>[number]

function listingOf(row: Row, idle: number): SessionListing {
  const { id, username, role, created, used, expires, reason } = row
  const state = stateOf(row, idle)
  return {
    id,
    username,
    role,
    began: created,
    used,
    ends: state === "idle" ? (used ?? created) + idle : expires,
    state,
    replaced: reason === "replaced",
  }
}

/** Returns the state of a session, as the admission statement decides it. */
export function stateOf(
  { now, created, used, expires, reason, disabled }: Omit<Row, "id" | "username" | "role">,
  idle: number,
): SessionState {
  if (reason !== null && (reason !== "replaced" || expires <= now)) return reason
  if (expires <= now) return "expired"
  if (idle > 0 && (used ?? created) <= now - idle) return "idle"
  return disabled ? "paused" : "live"
}
