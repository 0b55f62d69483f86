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
