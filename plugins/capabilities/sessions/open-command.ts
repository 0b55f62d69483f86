import { Command } from "commander"
import { partnerUrl, UserError } from "../../../core/capability.ts"
import { formatMoment } from "../../../core/plugin.ts"
import { authorOf, type Terminal, withDatabase } from "../../../core/commands.ts"
import { refuseUnsafe, writeCookieJar } from "./cookie-jar.ts"
import { openSession, parseDuration } from "./open-session.ts"

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
