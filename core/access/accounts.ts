import { sql } from "kysely"
import type { Database } from "../data/database.ts"
import { UserError } from "../errors.ts"
import type { Role } from "../data/service-tables.ts"
import { changeInTransaction } from "./audit-changes.ts"

/** What requests need to know of an account. */
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

/**
 * Replaces a hash by another of the same password, unless it has changed meanwhile; all sessions stay.
 * @throws {UserError} if the database user may only serve.
 */
export async function renewHash(
  database: Database,
  { id, password }: Credentials,
  renewed: string,
): Promise<void> {
  await changeInTransaction(database, undefined, async ({ writer }) => {
    await writer.updateTable("account").set({ password: renewed })
      .where("id", "=", id).where("password", "=", password).execute()
  })
}

/** Returns the hash of the first account whose id is not before a text; undefined if there is none. */
export async function findAnyHash(
  { writer }: Database,
  from: string,
): Promise<string | undefined> {
  const account = await writer.selectFrom("account").select("password")
    .where("id", ">=", from).orderBy("id").limit(1).executeTakeFirst()
  return account?.password
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

/** Finds an account by its name. @throws {UserError} if it does not exist. */
export async function findAccount(db: Database["writer"], username: string): Promise<Account> {
  const account = await findByName(db, username)
  if (!account) {
    throw new UserError(`There is no account ${username}. "account list" shows the accounts.`)
  }
  return account
}

/** Returns a text to look for in an ASCII column: empty, which matches nothing, if MySQL would refuse it. */
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
