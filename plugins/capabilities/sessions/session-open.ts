import {
  type Author,
  changing,
  type Config,
  type Database,
  endSessionsOf,
  findCredentials,
  type OpenedSession,
  Sessions,
  UserError,
} from "../../../core/capability.ts"

/** How a session for an unattended program is opened. */
interface OpenOptions {
  readonly settings: Config["session"]
  /** Seconds after which the account's other sessions end; undefined leaves them. */
  readonly replaceAfter?: number | undefined
  readonly by: Author
}

/** A session that was opened for a program. */
interface ProgramSession extends OpenedSession {
  /** The number of sessions that it replaces. */
  readonly replaced: number
}

/**
 * Opens a session of an account without its password, and may let its others end.
 *
 * @throws {UserError} if there is no such account, or if it may not log in.
 */
export async function openSession(
  database: Database,
  username: string,
  { settings, replaceAfter, by }: OpenOptions,
): Promise<ProgramSession> {
  const account = await findCredentials(database, username)
  if (!account) throw new UserError(`There is no account ${username} that may log in.`)
  const sessions = new Sessions(database, settings)
  const opened = await sessions.open(account)
  const replaced = await changing(database, by, async (transaction, record) => {
    const options = { reason: "replaced", except: opened.id } as const
    const replaced = replaceAfter === undefined
      ? 0
      : await endSessionsOf(transaction, account.id, { ...options, overlap: replaceAfter })
    const others = replaced > 0 ? `, which replaces ${replaced} after ${replaceAfter} s` : ""
    const detail = `session ${opened.id} for ${settings.lifetime} s${others}`
    await record({ action: "session-open", account: username, detail })
    return replaced
  })
  return { ...opened, replaced }
}
