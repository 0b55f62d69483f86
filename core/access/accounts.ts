import { randomUUID } from "node:crypto"
import { sql, type Updateable } from "kysely"
import type { Database } from "../data/database.ts"
import { UserError } from "../errors.ts"
import type { Schema } from "../data/schema.ts"
import type { EndReason, Role } from "../data/service-tables.ts"
import { type Author, type Change, changing } from "./changes.ts"
import { endSessionsOf } from "./session-ends.ts"

/** An account, as far as a request needs to know it. */
export interface Account {
  readonly id: string
  readonly username: string
  readonly role: Role
}

/** The role of an account, for a statement that reads the table. */
export const roleOf = sql<Role>`case account.viewer when 1 then 'viewer' else account.role end`

/** An account with the data to check a log-in. */
export interface Credentials extends Account {
  /** A hash, as `hashPassword` returns it. */
  readonly password: string
  /** Goes up with each change that ends all sessions. */
  readonly epoch: number
}

/** An account as the operator sees it. Times are Unix seconds; null means never. */
export interface AccountListing {
  readonly username: string
  readonly role: Role
  readonly disabled: boolean
  readonly sessions: number
  readonly lastLogIn: number | null
  readonly lastPoll: number | null
}

/** Creates an account. @throws {UserError} if the name is taken. */
export async function createAccount(
  database: Database,
  account: { username: string; role: Role; passwordHash: string },
  by?: Author,
): Promise<void> {
  const { username, role, passwordHash } = account
  await changing(database, by, async ({ writer: db }, record) => {
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

/** Returns the account to check a log-in against; undefined if it does not exist or is disabled. */
export async function findCredentials(
  { writer }: Database,
  username: string,
): Promise<Credentials | undefined> {
  const account = await findByName(writer, username)
  return account && !account.disabled ? account : undefined
}

/** Changes the password, which ends all sessions. Returns how many. @throws {UserError} if the account does not exist. */
export function setPassword(
  database: Database,
  username: string,
  passwordHash: string,
  by?: Author,
): Promise<number> {
  const values = { password: passwordHash, demonstration: 0 }
  return change(database, username, { values, reason: "password", action: "account-password", by })
}

/**
 * Replaces a hash by another of the same password, unless it has changed meanwhile; all sessions stay.
 * @throws {UserError} if the database user may only serve.
 */
export async function renewHash(
  database: Database,
  { id, password }: Credentials,
  renewed: string,
): Promise<void> {
  await changing(database, undefined, async ({ writer }) => {
    await writer.updateTable("account").set({ password: renewed })
      .where("id", "=", id).where("password", "=", password).execute()
  })
}

/** Returns the hash of the account with the first id from a text on; undefined if there is none. */
export async function findAnyHash(
  { writer }: Database,
  from: string,
): Promise<string | undefined> {
  const account = await writer.selectFrom("account").select("password")
    .where("id", ">=", from).orderBy("id").limit(1).executeTakeFirst()
  return account?.password
}

/** Ends all sessions of an account, on every instance. Returns how many. @throws {UserError} if it does not exist. */
export function revokeSessions(database: Database, username: string, by?: Author): Promise<number> {
  return change(database, username, { values: {}, reason: "revoked", action: "session-end", by })
}

/**
 * Disables an account, or enables it. Either ends its sessions, unless they are to be kept: none counts while
 * it is disabled, and sessions that were kept both times count again afterwards. Returns how many have ended.
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

/** Returns all accounts, sorted by name. */
export async function listAccounts({ writer, dialect }: Database): Promise<AccountListing[]> {
  const rows = await writer
    .selectFrom("account")
    .leftJoin(
      "session",
      (join) =>
        join.onRef("session.account_id", "=", "account.id").on("session.expires", ">", dialect.now),
    )
    .leftJoin("account_activity as activity", "activity.account_id", "account.id")
    .select((eb) => [
      "username",
      roleOf.as("role"),
      "disabled",
      "last_log_in as lastLogIn",
      "last_poll as lastPoll",
      eb.fn.count<number>("session.id").as("sessions"),
    ])
    .groupBy(["username", "account.role", "viewer", "disabled", "last_log_in", "last_poll"])
    .orderBy("username")
    .execute()
  return rows.map((row) => ({ ...row, disabled: Boolean(row.disabled) }))
}

/** Returns the names of the accounts that can log in with the demonstration's well-known password. */
export async function findDemonstrationAccounts({ writer }: Database): Promise<string[]> {
  const accounts = await writer
    .selectFrom("account")
    .select("username")
    .where("demonstration", "=", 1)
    .where("disabled", "=", 0)
    .orderBy("username")
    .execute()
  return accounts.map(({ username }) => username)
}

interface AccountChange {
  readonly values: Updateable<Schema["account"]>
  /** Why the sessions end; undefined keeps them. */
  readonly reason: EndReason | undefined
  readonly action: Change["action"]
  readonly by: Author | undefined
}

/** Returns how many sessions have ended. */
async function change(
  database: Database,
  username: string,
  { values, reason, action, by }: AccountChange,
): Promise<number> {
  return await changing(database, by, async (transaction, record) => {
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

/** Finds an account by its name. @throws {UserError} if it does not exist. */
export async function findAccount(db: Database["writer"], username: string): Promise<Account> {
  const account = await findByName(db, username)
  if (!account) {
    throw new UserError(`There is no account ${username}. "account list" shows the accounts.`)
  }
  return account
}

/** Returns a text to look for in a column of ASCII: if MySQL would refuse it, the empty text, which nothing has. */
export function asciiOf(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : ""
}

/** Finds an account whose name equals `username` byte for byte. */
export async function findByName(
  db: Database["writer"],
  username: string,
): Promise<(Credentials & { readonly disabled: number }) | undefined> {
  const account = await db
    .selectFrom("account")
    .select(["id", "username", roleOf.as("role"), "password", "epoch", "disabled"])
    .where("username", "=", asciiOf(username))
    .executeTakeFirst()
  // MySQL also finds names that differ in the spaces at their end.
  return account?.username === username ? account : undefined
}
