import { randomUUID } from "node:crypto"
import type { Database } from "../data/database.ts"
import { UserError } from "../errors.ts"
import type { Role } from "../data/schema.ts"

/** An account, as far as a request needs to know it. */
export interface Account {
  readonly id: string
  readonly username: string
  readonly role: Role
}

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
  { writer }: Database,
  account: { username: string; role: Role; passwordHash: string },
): Promise<Account> {
  const { username, role, passwordHash } = account
  return await writer.transaction().execute(async (db) => {
    if (await findByName(db, username)) {
      throw new UserError(
        `Cannot add account ${username}: it already exists. Use "account passwd" to change its password.`,
      )
    }
    const id = randomUUID()
    await db.insertInto("account").values({ id, username, role, password: passwordHash }).execute()
    return { id, username, role }
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

/** Returns some account that may log in as an operator; undefined if there is none. */
export async function findOperator(
  { writer }: Database,
): Promise<{ id: string; epoch: number } | undefined> {
  return await writer
    .selectFrom("account")
    .select(["id", "epoch"])
    .where("role", "=", "operator")
    .where("disabled", "=", 0)
    .orderBy("username")
    .limit(1)
    .executeTakeFirst()
}

/** Changes the password, which ends all sessions. @throws {UserError} if the account does not exist. */
export async function setPassword(
  database: Database,
  username: string,
  passwordHash: string,
): Promise<void> {
  await change(database, username, { password: passwordHash })
}

/** Ends all sessions of an account, on every instance. @throws {UserError} if it does not exist. */
export async function revokeSessions(database: Database, username: string): Promise<void> {
  await change(database, username, {})
}

/** Disables an account and ends its sessions, or enables it. @throws {UserError} if it does not exist. */
export async function setDisabled(
  database: Database,
  username: string,
  disabled: boolean,
): Promise<void> {
  await change(database, username, { disabled: disabled ? 1 : 0 })
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
      "role",
      "disabled",
      "last_log_in",
      "last_poll",
      eb.fn.count<number>("session.id").as("sessions"),
    ])
    .groupBy(["username", "role", "disabled", "last_log_in", "last_poll"])
    .orderBy("username")
    .execute()
  return rows.map(({ username, role, disabled, sessions, last_log_in, last_poll }) => ({
    username,
    role,
    disabled: Boolean(disabled),
    sessions,
    lastLogIn: last_log_in,
    lastPoll: last_poll,
  }))
}

/** Returns the names of the accounts that can log in with the demonstration's well-known password. */
export async function findDemonstrationAccounts({ writer }: Database): Promise<string[]> {
  const found = await writer
    .selectFrom("account")
    .select("username")
    .where("demonstration", "=", 1)
    .where("disabled", "=", 0)
    .orderBy("username")
    .execute()
  return found.map(({ username }) => username)
}

async function change(
  { writer }: Database,
  username: string,
  values: { password?: string; disabled?: number },
): Promise<void> {
  await writer.transaction().execute(async (db) => {
    const account = await findAccount(db, username)
    await db
      .updateTable("account")
      .set((eb) => ({
        ...values,
        ...(values.password === undefined ? {} : { demonstration: 0 }),
        epoch: eb("epoch", "+", 1),
      }))
      .where("id", "=", account.id)
      .execute()
    // By key: a statement for all may scan the table, and then deadlock with a log-in, which has locked
    // its new row and waits for the account. A session that is opened meanwhile has an old epoch.
    const sessions = await db.selectFrom("session").select("id")
      .where("account_id", "=", account.id).orderBy("id").execute()
    for (const { id } of sessions) await db.deleteFrom("session").where("id", "=", id).execute()
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

/** Finds an account whose name equals `username` byte for byte. */
async function findByName(
  db: Database["writer"],
  username: string,
): Promise<(Credentials & { readonly disabled: number }) | undefined> {
  const account = await db
    .selectFrom("account")
    .select(["id", "username", "role", "password", "epoch", "disabled"])
    // MySQL rejects a comparison with non-ASCII text here, so such names are looked up as "".
    .where("username", "=", /^[\x20-\x7e]*$/.test(username) ? username : "")
    .executeTakeFirst()
  // MySQL also finds names that differ in the spaces at their end.
  return account?.username === username ? account : undefined
}
