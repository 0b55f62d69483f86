import { randomUUID } from "node:crypto"
import type { Account } from "./accounts.ts"
import type { Database } from "../data/database.ts"

/** A live session, with the account that it belongs to. */
export interface Session {
  readonly id: string
  readonly account: Account
  /** Unix seconds. */
  readonly expires: number
  /** The database's clock when the session was looked up, in Unix seconds. */
  readonly now: number
}

/** What the cookie proves to have been handed out: a session and the account's epoch at the time. */
export interface SessionKey {
  readonly session: string
  readonly epoch: number
}

/** Begins a session of `lifetime` seconds on the database's clock, and forgets the account's expired ones. */
export async function insertSession(
  { writer, dialect }: Database,
  accountId: string,
  lifetime: number,
): Promise<string> {
  const id = randomUUID()
  await writer.transaction().execute(async (db) => {
    await db
      .deleteFrom("session")
      .where("account_id", "=", accountId)
      .where("expires", "<=", dialect.now)
      .execute()
    await db
      .insertInto("session")
      .values((eb) => ({
        id,
        account_id: accountId,
        created: dialect.now,
        expires: eb(dialect.now, "+", lifetime),
      }))
      .execute()
  })
  return id
}

/** Ends one session. */
export async function deleteSession({ writer }: Database, id: string): Promise<void> {
  await writer.deleteFrom("session").where("id", "=", id).execute()
}
