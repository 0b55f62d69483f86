import { Command } from "commander"
import {
  type Author,
  authorOf,
  changing,
  type Config,
  type Database,
  endSessionsOf,
  findCredentials,
  formatMoment,
  partnerUrl,
  Sessions,
  type Terminal,
  UserError,
  withDatabase,
} from "../../../core/capability.ts"
import { refuseUnsafe, writeCookieJar } from "./cookie-jar.ts"

interface SessionFlags {
  readonly cookieJar?: string
  readonly token?: true
  readonly lifetime?: string
  readonly replace?: true
  readonly overlap?: string
}

/** `account session`: logs in a partner's program that runs unattended. */
export function accountSessionCommand(terminal: Terminal): Command {
  return new Command("session")
    .description(
      "log in for an unattended program: write a cookie file that only you can read, or print a token",
    )
    .argument("<name>", "the user name")
    .option("--cookie-jar <file>", "the file to write, for curl -b")
    .option("--token", "print a token, and nothing else, for Authorization: Bearer")
    .option("--lifetime <duration>", "for example 12h or 30d (default: session.lifetime)")
    .option("--replace", "end the account's other sessions")
    .option("--overlap <duration>", "with --replace: how long they still count, for example 1h")
    .action(async (username: string, flags: SessionFlags) => {
      const { cookieJar, token: isToken } = flags
      if ((cookieJar === undefined) === (isToken === undefined)) {
        throw new UserError("Give --cookie-jar with a file, or --token. Nothing was changed.")
      }
      const replaceAfter = replaceAfterOf(flags)
      const requested = flags.lifetime === undefined ? undefined : parseDuration(flags.lifetime)
      if (cookieJar !== undefined) refuseUnsafe(cookieJar)
      await withDatabase(terminal, async (database, config) => {
        const lifetime = requested ?? config.session.lifetime
        const { token, cookie: header, expires, replaced } = await openSession(database, username, {
          settings: { ...config.session, lifetime },
          replaceAfter,
          by: authorOf(config),
        })
        if (cookieJar === undefined) return terminal.print(token)
        const host = new URL(partnerUrl(config.server)).hostname
        writeCookieJar(cookieJar, { header, host, expires })
        const when = flags.overlap ? `in ${flags.overlap}` : "now"
        const others = replaced > 0 ? ` Other sessions that end ${when}: ${replaced}.` : ""
        terminal.print(
          `${username} is logged in until ${formatMoment(expires)}, with ${cookieJar}. ` +
            `"account revoke" ends it.${others}`,
        )
      })
    })
}

/** Returns the seconds after which the other sessions end; undefined leaves them. */
function replaceAfterOf({ replace, overlap }: SessionFlags): number | undefined {
  if (replace) return overlap === undefined ? 0 : parseDuration(overlap)
  if (overlap === undefined) return undefined
  throw new UserError("--overlap needs --replace. Nothing was changed.")
}

/**
 * Opens a session of an account without its password, and lets its others end after so many seconds; undefined leaves
 * them. Returns the session, and the number of sessions that it replaces.
 *
 * @throws {UserError} if there is no such account, or if it may not log in.
 */
async function openSession(
  database: Database,
  username: string,
  { settings, replaceAfter, by }: {
    readonly settings: Config["session"]
    readonly replaceAfter: number | undefined
    readonly by: Author
  },
) {
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
