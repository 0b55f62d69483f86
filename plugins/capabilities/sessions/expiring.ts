import { type Role, roleOf } from "../../../core/accounts.ts"
import type { Database } from "../../../core/capability.ts"

/** A session of an unattended program that counts now. */
export interface ExpiringSession {
  readonly username: string
  readonly role: Role
  /** Unix seconds. */
  readonly ends: number
  /** 1 if it is a token that a partner has made. */
  readonly lasting: number
}

const aDay = 86_400

/** Seconds. A session that was made for longer is for an unattended program. */
const longLifetime = 14 * aDay

/**
 * Returns the sessions of unattended programs that end within a number of seconds, the next to end first: those that were
 * made for more than two weeks, were used within the last day, and are not being replaced.
 */
export async function listExpiring(
  database: Database,
  seconds: number,
): Promise<ExpiringSession[]> {
  return await database.readOnce(({ db, dialect, run }) =>
    run(
      db.selectFrom("session")
        .innerJoin("account", "account.id", "session.account_id")
        .select(["account.username", roleOf.as("role"), "session.expires as ends"])
        .select("session.lasting")
        .modifyFront(dialect.byIndex("session", "session_ends"))
        .where("expires", ">", dialect.now)
        .where((eb) => eb("expires", "<=", eb(dialect.now, "+", seconds)))
        .where("session.reason", "is", null)
        .where("account.disabled", "=", 0)
        .where((eb) => eb(eb("expires", "-", eb.ref("session.created")), ">", longLifetime))
        .where((eb) => eb("used", ">=", eb(dialect.now, "-", aDay)))
        .orderBy("expires")
        .orderBy("session.id"),
    )
  )
}

/** Returns the first session and the first token of each unattended program to end, the next to end first. */
export async function findSessionEnds(database: Database): Promise<readonly ExpiringSession[]> {
  const sessions = await listExpiring(database, 10 * 366 * aDay)
  const ofPrograms = sessions.filter(({ role }) => role !== "operator" && role !== "viewer")
  const first = Map.groupBy(ofPrograms, ({ username, lasting }) => `${lasting} ${username}`)
  return [...first.values()].flatMap(([session]) => session ?? [])
}
