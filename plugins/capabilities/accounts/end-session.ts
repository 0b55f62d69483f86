import {
  type Author,
  changeInTransaction,
  endNow,
  type EndReason,
  type Writer,
} from "../../../core/accounts.ts"
import { type Database, UserError } from "../../../core/capability.ts"

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
