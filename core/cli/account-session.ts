import { Command } from "commander"
import { Sessions } from "../access/sessions.ts"
import { findCredentials } from "../access/accounts.ts"
import { UserError } from "../errors.ts"
import { partnerUrl } from "../http/server-address.ts"
import type { Terminal } from "./terminal.ts"
import { withDatabase } from "./context.ts"
import { refuseUnsafe, writeCookieJar } from "./cookie-jar.ts"
import { formatTime, parseDuration } from "./time.ts"

interface SessionFlags {
  readonly cookieJar: string
  readonly lifetime?: string
}

/** `account session`: logs in a partner's program that runs unattended. */
export function accountSessionCommand(terminal: Terminal): Command {
  return new Command("session")
    .description("log in for an unattended program: write a cookie file that only you can read")
    .argument("<name>", "the user name")
    .requiredOption("--cookie-jar <file>", "the file to write, for curl -b")
    .option("--lifetime <duration>", "for example 12h or 30d (default: session.lifetime)")
    .action(async (username: string, flags: SessionFlags, command: Command) => {
      const { cookieJar } = flags
      const requested = flags.lifetime === undefined ? undefined : parseDuration(flags.lifetime)
      refuseUnsafe(cookieJar)
      await withDatabase(command, terminal, async (database, config) => {
        const account = await findCredentials(database, username)
        if (!account) {
          throw new UserError(`There is no account ${username} that may log in.`)
        }
        const lifetime = requested ?? config.session.lifetime
        const sessions = new Sessions(database, { ...config.session, lifetime })
        const expires = Math.floor(Date.now() / 1000) + lifetime
        const header = await sessions.open(account)
        const host = new URL(partnerUrl(config.server)).hostname
        writeCookieJar(cookieJar, { header, host, expires })
        terminal.print(
          `${username} is logged in until ${formatTime(expires)}, with ${cookieJar}. ` +
            `"account revoke" ends it.`,
        )
      })
    })
}
