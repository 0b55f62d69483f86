import * as v from "valibot"
import { type Author, changeInTransaction, findAccount } from "../../../core/accounts.ts"
import { username as validUsername } from "../../../core/plugin.ts"
import { type Database, UserError } from "../../../core/capability.ts"

/** Says which names accounts may have. */
export const wrongName =
  "A user name has at most 100 characters: lower-case letters, digits and . _ @ -. Nothing was changed."

/**
 * Gives an account another name. Its sessions, its grants and what it has read stay.
 * @throws {UserError} if there is no such account, or if the name is malformed or taken.
 */
export async function renameAccount(
  database: Database,
  from: string,
  to: string,
  by: Author,
): Promise<void> {
  if (!v.is(validUsername, to)) throw new UserError(wrongName)
  await changingNames(database, by, async ({ writer }, record) => {
    const { id } = await findAccount(writer, from)
    const [taken] = await writer.selectFrom("account").select("id").where("username", "=", to)
      .execute()
    if (taken) throw new UserError(`There is an account ${to} already. Nothing was changed.`)
    await writer.updateTable("account").set({ username: to }).where("id", "=", id).execute()
    const detail = `formerly ${from}`
    await record({ action: "account-rename", account: to, formerly: from, detail })
  })
}

/**
 * Removes an account with its sessions and grants. Entries of the audit log and the ledger keep its name.
 *
 * @throws {UserError} if there is no such account; or if it has live sessions, unless `force` ends them.
 */
export async function removeAccount(
  database: Database,
  username: string,
  { force = false }: { readonly force?: boolean },
  by: Author,
): Promise<void> {
  await changingNames(database, by, async ({ writer, dialect }, record) => {
    const { id } = await findAccount(writer, username)
    const { sessions } = await writer.selectFrom("session")
      .select((eb) => eb.fn.countAll<number>().as("sessions"))
      .where("account_id", "=", id).where("expires", ">", dialect.now).executeTakeFirstOrThrow()
    if (sessions > 0 && !force) {
      throw new UserError(
        `${username} has ${sessions} live sessions: somebody may use it. End them with ` +
          `"account revoke", or give --force. Nothing was changed.`,
      )
    }
    // While the account is there: other tables are about its id.
    const detail = `account ${id}, with ${sessions} sessions and all its grants`
    await record({ action: "account-remove", account: username, detail })
    await writer.deleteFrom("account_activity").where("account_id", "=", id).execute()
    await writer.deleteFrom("account").where("id", "=", id).execute()
  })
}

/** Like `changeInTransaction`. Says so if somebody else changes the same names at the same time. */
async function changingNames(
  database: Database,
  by: Author,
  work: Parameters<typeof changeInTransaction<void>>[2],
): Promise<void> {
  try {
    await changeInTransaction(database, by, work)
  } catch (error) {
    if (!collisions.has(String((error as { code?: unknown }).code))) throw error
    throw new UserError(
      "Somebody else changed the same account, or one to the same name, at the same time. Nothing was changed.",
    )
  }
}

/** Codes of MySQL. An embedded database has one writer at a time. */
const collisions = new Set(["ER_DUP_ENTRY", "ER_LOCK_DEADLOCK"])
