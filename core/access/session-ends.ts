import type { Database } from "../data/database.ts"
import type { EndReason } from "../data/service-tables.ts"
import { UserError } from "../errors.ts"
import { type Author, changeInTransaction, type Writer } from "./audit-changes.ts"

/** Ends a session by its id, unless it has ended. Its row stays, and says why. */
export async function endNow(
  { writer, dialect }: Writer,
  id: string,
  reason: EndReason,
): Promise<void> {
  await writer.updateTable("session").set({ expires: dialect.now, reason })
    .where("id", "=", id)
    .where("expires", ">", dialect.now)
    .execute()
}

/**
 * Ends the live sessions of an account, except some, now or after an overlap in seconds. A session that
 * would end earlier anyway is left as it is. Returns how many.
 */
export async function endSessionsOf(
  { writer, dialect }: Writer,
  accountId: string,
  { reason, overlap = 0, except = [] }: {
    readonly reason: EndReason
    readonly overlap?: number
    readonly except?: readonly string[]
  },
): Promise<number> {
  // By key: a statement for all may scan the table, and then deadlock with a log-in, which has locked
  // its new row and waits for the account.
  const sessions = await writer.selectFrom("session").select("id")
    .where("account_id", "=", accountId)
    .where("id", "not in", ["", ...except])
    .where("expires", ">", dialect.now)
    .orderBy("id").execute()
  let ended = 0
  for (const { id } of sessions) {
    const { numUpdatedRows } = await writer.updateTable("session")
      .set((eb) => ({ expires: eb(dialect.now, "+", overlap), reason }))
      .where("id", "=", id)
      .where((eb) => eb("expires", ">", eb(dialect.now, "+", overlap)))
      .executeTakeFirst()
    ended += Number(numUpdatedRows)
  }
  return ended
}

interface EndedSession {
  readonly id: string
  readonly username: string
}

/** Ends one session, named by its id or the beginning of it. @throws {UserError} unless one live session has it. */
export async function endSession(
  database: Database,
  idPrefix: string,
  reason: EndReason,
  by?: Author,
): Promise<EndedSession> {
  return await changeInTransaction(database, by, async (transaction, record) => {
    const session = await findByPrefix(transaction, idPrefix)
    const { id, username: account } = session
    await endNow(transaction, id, reason)
    await record({ action: "session-end", account, detail: `session ${id}, ${reason}` })
    return session
  })
}

async function findByPrefix({ writer, dialect }: Writer, prefix: string): Promise<EndedSession> {
  const wanted = prefix.toLowerCase()
  const hint = '"account sessions" lists the sessions. Nothing was changed.'
  if (!/^[0-9a-f-]{4,36}$/.test(wanted)) {
    throw new UserError(`${prefix} is not the beginning of a session's id. ${hint}`)
  }
  const sessions = await writer.selectFrom("session")
    .innerJoin("account", "account.id", "session.account_id")
    .select(["session.id", "account.username"])
    .select((eb) => eb("session.expires", ">", dialect.now).as("live"))
    // The least and the greatest id with the prefix: a range of the index.
    .where("session.id", ">=", wanted)
    .where("session.id", "<=", `${wanted}g`)
    .orderBy("session.id")
    .execute()
  const live = sessions.filter((each) => each.live)
  const [session] = live
  if (live.length > 1) {
    throw new UserError(`${live.length} live sessions begin with ${prefix}. ${hint}`)
  }
  if (session) return { id: session.id, username: session.username }
  throw new UserError(
    sessions.length > 0
      ? `The session ${prefix} has ended already. ${hint}`
      : `There is no session ${prefix}. ${hint}`,
  )
}
