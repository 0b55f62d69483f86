import { randomUUID } from "node:crypto"
import type { Updateable } from "kysely"
import {
  type AuditChange,
  type Author,
  changeInTransaction,
  type EndReason,
  endSessionsOf,
  findAccount,
  findByName,
  type Role,
} from "../../../core/accounts.ts"
import { type Database, UserError } from "../../../core/capability.ts"
import type { Schema } from "../../../core/tables.ts"

/** Creates an account. @throws {UserError} if the name is taken. */
export async function createAccount(
  database: Database,
  account: { username: string; role: Role; passwordHash: string },
  by?: Author,
): Promise<void> {
  const { username, role, passwordHash } = account
  await changeInTransaction(database, by, async ({ writer: db }, record) => {
    if (await findByName(db, username)) {
      throw new UserError(
        `Cannot add account ${username}: it already exists. Use "account passwd" to change its password.`,
      )
    }
    const id = randomUUID()
    const stored = role === "viewer" ? { role: "partner", viewer: 1 } as const : { role }
    const values = { id, username, ...stored, password: passwordHash }
    await db.insertInto("account").values(values).execute()
    await record({ action: "account-add", account: username, detail: `role ${role}` })
  })
}

/** Changes the password, which ends all sessions. Returns their number. @throws {UserError} if the account does not exist. */
export function setPassword(
  database: Database,
  username: string,
  passwordHash: string,
  by?: Author,
): Promise<number> {
  const values = { password: passwordHash, demonstration: 0 }
  return change(database, username, { values, reason: "password", action: "account-password", by })
}

/** Ends all sessions of an account, in every process. Returns their number. @throws {UserError} if it does not exist. */
export function revokeSessions(database: Database, username: string, by?: Author): Promise<number> {
  return change(database, username, { values: {}, reason: "revoked", action: "session-end", by })
}

/**
 * Disables an account, or enables it. Either ends its sessions, unless `keepSessions`. Kept sessions do not count while it is
 * disabled; if they are kept both times, they count again afterwards. Returns the number of sessions that have ended.
 * @throws {UserError} if there is none.
 */
export function setDisabled(
  database: Database,
  username: string,
  disabled: boolean,
  { keepSessions = false, by }: { readonly keepSessions?: boolean; readonly by?: Author } = {},
): Promise<number> {
  return change(database, username, {
    values: { disabled: disabled ? 1 : 0 },
    reason: keepSessions ? undefined : "disabled",
    action: disabled ? "account-disable" : "account-enable",
    by,
  })
}

interface AccountChange {
  readonly values: Updateable<Schema["account"]>
  /** Why the sessions end; undefined keeps them. */
  readonly reason: EndReason | undefined
  readonly action: AuditChange["action"]
  readonly by: Author | undefined
}

/** Returns the number of sessions that have ended. */
async function change(
  database: Database,
  username: string,
  { values, reason, action, by }: AccountChange,
): Promise<number> {
  return await changeInTransaction(database, by, async (transaction, record) => {
    const { writer: db } = transaction
    const account = await findAccount(db, username)
    // A session that is opened meanwhile has an old epoch.
    const ends = reason !== undefined
    await db
      .updateTable("account")
      .set((eb) => ({ ...values, ...ends && { epoch: eb("epoch", "+", 1) } }))
      .where("id", "=", account.id)
      .execute()
    const ended = ends ? await endSessionsOf(transaction, account.id, { reason }) : 0
    const detail = ends ? `ended ${ended} sessions` : "kept the sessions"
    await record({ action, account: username, detail, endsSessions: ends })
    return ended
  })
}
