import {
  type Author,
  changeInTransaction,
  endSessionsOf,
  findByName,
  Sessions,
} from "../../../core/accounts.ts"
import { type Config, type Database, UserError } from "../../../core/capability.ts"
import { listTokens } from "./tokens.ts"

/**
 * Opens a session of an account without its password. Its other sessions, except tokens that its owner has made, end after
 * `replaceAfter` seconds; if that is undefined, they stay. Returns the session, and the number of sessions that it replaces.
 *
 * @throws {UserError} if there is no such account, or if it may not log in.
 */
export async function openSession(
  database: Database,
  username: string,
  { settings, replaceAfter, by }: {
    readonly settings: Config["session"]
    readonly replaceAfter: number | undefined
    readonly by: Author
  },
) {
  const account = await findByName(database.writer, username)
  if (!account || account.disabled) {
    throw new UserError(`There is no account ${username} that may log in.`)
  }
  const sessions = new Sessions(database, settings)
  const opened = await sessions.open({ ...account, isForProgram: true })
  const replaced = await changeInTransaction(database, by, async (transaction, record) => {
    const tokens = await listTokens(transaction, { accountId: account.id })
    const except = [opened.id, ...tokens.map(({ id }) => id)]
    const options = { reason: "replaced", except } as const
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

const aDay = 86_400
const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: aDay }

/** Returns the seconds of a duration such as `45m`, `12h` or `30d`, up to a year. @throws {UserError} */
export function parseDuration(text: string): number {
  const [, digits, unit = ""] = /^(\d{1,8})([smhd])$/.exec(text) ?? []
  const seconds = Number(digits) * (units[unit] ?? NaN)
  if (!(seconds >= 60 && seconds <= 366 * aDay)) {
    throw new UserError(
      `${text} is not a duration: write 45m, 12h or 30d, from a minute to a year. Nothing was changed.`,
    )
  }
  return seconds
}
