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
export interface SessionSummary {
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
  /** True if it is that of a token. */
  readonly isToken: boolean
}

/** Sessions per statement. */
const portion = 1000

/** Which sessions are listed. */
export interface SessionQuery {
  /** Of this account; of all if it is undefined. */
  readonly username?: string | undefined
  /** `session.idle`: seconds without a request after which a session ends; 0 means never. */
  readonly idle?: number
  /** True for sessions that have not expired: all live ones, and some that are idle or paused. */
  readonly isRunning?: boolean
}

/**
 * Returns sessions, `most` of them or all: first those that end last.
 * @throws {UserError} if the account does not exist.
 */
export async function listSessions(
  database: Database,
  { most = Infinity, ...query }: SessionQuery & { readonly most?: number } = {},
): Promise<SessionSummary[]> {
  const all: SessionSummary[] = []
  for await (const page of sessionPages(database, query, Math.min(most, portion))) {
    all.push(...page)
    if (all.length >= most) break
  }
  return all
}

/** Returns all sessions page by page, as there may be very many that have ended. @throws as `listSessions`. */
export async function* sessionPages(
  database: Database,
  { username, idle = 0, isRunning = false }: SessionQuery,
  most = portion,
): AsyncGenerator<readonly SessionSummary[]> {
  const account = username === undefined ? undefined : await findAccount(database.writer, username)
  let last: Pick<Schema["session"], "id" | "expires"> | undefined
  do {
    const rows = await database.readOnce(({ db, dialect, run }) =>
      run(
        db.selectFrom("session")
          .innerJoin("account", "account.id", "session.account_id")
          .select(["session.id", "username", roleOf.as("role"), "disabled", "session.created"])
          .select(["used", "expires", "reason", "lasting", dialect.now.as("now")])
          .modifyFront(dialect.byIndex("session", account ? "session_expires" : "session_ends"))
          .$if(account !== undefined, (query) => query.where("account_id", "=", account?.id ?? ""))
          .$if(isRunning, (query) => query.where("expires", ">", dialect.now))
          .where((eb) =>
            eb.and(
              last
                ? [
                  eb("expires", "<=", last.expires),
                  eb.or([eb("expires", "<", last.expires), eb("session.id", "<", last.id)]),
                ]
                : [],
            )
          )
          .orderBy("expires", "desc")
          .orderBy("session.id", "desc")
          .limit(most),
      )
    )
    yield rows.map((row) => {
      const { id, username, role, created, used, expires, reason } = row
      const state = sessionStateOf(row, idle)
      const ends = state === "idle" ? (used ?? created) + idle : expires
      const replaced = reason === "replaced"
      const isToken = row.lasting === 1
      return { id, username, role, began: created, used, ends, state, replaced, isToken }
    })
    last = rows.length < most ? undefined : rows.at(-1)
  } while (last)
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
export function sessionStateOf(
  { now, created, used, expires, reason, lasting, disabled }: SessionFacts,
  idle: number,
): SessionState {
  if (reason !== null && (reason !== "replaced" || expires <= now)) return reason
  if (expires <= now) return "expired"
  if (idle > 0 && !lasting && (used ?? created) <= now - idle) return "idle"
  return disabled ? "paused" : "live"
}
