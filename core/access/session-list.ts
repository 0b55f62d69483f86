import type { Database } from "../data/database.ts"
import type { Schema } from "../data/schema.ts"
import type { EndReason, Role } from "../data/service-tables.ts"
import { findAccount, roleOf } from "./accounts.ts"

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

const most = 1000

/**
 * Returns the latest sessions of an account, or of all: first those that end last. `idle` is `session.idle`: seconds
 * without a request after which a session ends; 0 means never.
 *
 * @throws {UserError} if the account does not exist.
 */
export async function listSessions(
  database: Database,
  username?: string,
  { idle = 0 }: { readonly idle?: number } = {},
): Promise<SessionListing[]> {
  const account = username === undefined ? undefined : await findAccount(database.writer, username)
  const rows = await database.readOnce(({ db, dialect, run }) =>
    run(
      db.selectFrom("session")
        .innerJoin("account", "account.id", "session.account_id")
        .select(["session.id", "username", roleOf.as("role"), "disabled", "session.created"])
        .select(["used", "expires", "reason", "lasting", dialect.now.as("now")])
        .modifyFront(dialect.byIndex("session", account ? "session_expires" : "session_ends"))
        .$if(account !== undefined, (query) => query.where("account_id", "=", account?.id ?? ""))
        .orderBy("expires", "desc")
        .orderBy("session.id", "desc")
        .limit(most),
    )
  )
  return rows.map((row) => {
    const { id, username, role, created, used, expires, reason } = row
    const state = stateOf(row, idle)
    const ends = state === "idle" ? (used ?? created) + idle : expires
    const replaced = reason === "replaced"
    return { id, username, role, began: created, used, ends, state, replaced }
  })
}

/** What decides about the state of a session. Times are Unix seconds. */
interface SessionFacts extends Pick<Schema["session"], "created" | "used" | "expires" | "reason"> {
  readonly now: number
  /** 1 if it ends at its time only. */
  readonly lasting: number
  /** True or 1 if its account is. */
  readonly disabled: boolean | number
}

/** Returns the state of a session, as the admission statement decides it. */
export function stateOf(
  { now, created, used, expires, reason, lasting, disabled }: SessionFacts,
  idle: number,
): SessionState {
  if (reason !== null && (reason !== "replaced" || expires <= now)) return reason
  if (expires <= now) return "expired"
  if (idle > 0 && !lasting && (used ?? created) <= now - idle) return "idle"
  return disabled ? "paused" : "live"
}
