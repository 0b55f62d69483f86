import { Command } from "commander"
import { openSession } from "../access/session-open.ts"
import { UserError } from "../errors.ts"
import { partnerUrl } from "../http/server-address.ts"
import type { Terminal } from "./terminal.ts"
import { authorOf } from "./author.ts"
import { withDatabase } from "./context.ts"
import { refuseUnsafe, writeCookieJar } from "./cookie-jar.ts"
import { formatTime, parseDuration } from "./time.ts"

interface SessionFlags {
  readonly cookieJar: string
  readonly lifetime?: string
  readonly replace?: true
  readonly overlap?: string
}

/** `account session`: logs in a partner's program that runs unattended. */
export function accountSessionCommand(terminal: Terminal): Command {
  return new Command("session")
    .description("log in for an unattended program: write a cookie file that only you can read")
    .argument("<name>", "the user name")
    .requiredOption("--cookie-jar <file>", "the file to write, for curl -b")
    .option("--lifetime <duration>", "for example 12h or 30d (default: session.lifetime)")
    .option("--replace", "end the account's other sessions")
    .option("--overlap <duration>", "with --replace: how long they still count, for example 1h")
    .action(async (username: string, flags: SessionFlags, command: Command) => {
      const { cookieJar } = flags
      const replaceAfter = replaceAfterOf(flags)
      const requested = flags.lifetime === undefined ? undefined : parseDuration(flags.lifetime)
      refuseUnsafe(cookieJar)
      await withDatabase(command, terminal, async (database, config) => {
        const settings = {
          ...config.session,
          lifetime: requested ?? config.session.lifetime,
        }
        const options = { settings, replaceAfter, by: authorOf() }
        const { header, expires, replaced } = await openSession(database, username, options)
        const host = new URL(partnerUrl(config.server)).hostname
        writeCookieJar(cookieJar, { header, host, expires })
        const others = replaced === 0 ? "" : ` Other sessions that end now: ${replaced}.`
        const later = ` Other sessions that end in ${flags.overlap}: ${replaced}.`
        terminal.print(
          `${username} is logged in until ${formatTime(expires)}, with ${cookieJar}. ` +
            `"account revoke" ends it.${replaced > 0 && flags.overlap ? later : others}`,
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
