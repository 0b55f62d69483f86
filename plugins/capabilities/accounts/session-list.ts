import { findAccount, type Role, roleOf, sessionStateOf } from "../../../core/accounts.ts"
import type { Database } from "../../../core/capability.ts"
import type { Schema } from "../../../core/tables.ts"

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
  readonly state: ReturnType<typeof sessionStateOf>
  /** True if a newer session is to take its place, and it is only left to end. */
  readonly replaced: boolean
  /** True if it is that of a token. */
  readonly isToken: boolean
}

/** Sessions per statement. */
const portion = 1000

/** Which sessions are listed. */
interface SessionQuery {
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
