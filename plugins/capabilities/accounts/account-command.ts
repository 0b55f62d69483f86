import { Argument, Command, Option } from "commander"
import * as v from "valibot"
import type { Role } from "../../../core/accounts.ts"
import { type Config, UserError } from "../../../core/capability.ts"
import { formatMoment, username as validUsername } from "../../../core/plugin.ts"
import { authorOf, type Terminal, textTable, withDatabase } from "../../../core/commands.ts"
import { createAccount, revokeSessions, setDisabled, setPassword } from "./change-account.ts"
import { wrongName } from "./change-names.ts"
import { listAccounts } from "./list-accounts.ts"
import { readNewPassword } from "./new-password.ts"
import { hashNewPassword } from "./hash-new-password.ts"
import { endSessionCommand, sessionsCommand } from "./sessions-command.ts"

/** `account`: manages the accounts that may log in. */
export function accountCommand(terminal: Terminal): Command {
  const account = new Command("account").description("manage the accounts that may log in")
  const name = () => new Argument("<name>", "the user name")

  account.command("add").description(
    "add an account; reads the password from the terminal or from standard input",
  )
    .addArgument(name())
    .addOption(
      new Option("--role <role>", "the role of the account")
        .choices(["service", "partner", "operator", "viewer"])
        .makeOptionMandatory(),
    )
    .action(async (username: string, { role }: { role: Role }) => {
      if (!v.is(validUsername, username)) throw new UserError(wrongName)
      await withDatabase(terminal, async (database, config) => {
        const kind = config.session.passwords
        const passwordHash = await hashNewPassword(await readNewPassword(terminal), {
          username,
          kind,
        })
        await createAccount(database, { username, role, passwordHash }, authorOf(config))
        const isProgram = role === "service" || role === "partner"
        const next = isProgram ? '"access grant" lets it read.' : "It may log in to the console."
        terminal.print(`Added ${username}. ${next}`)
      })
    })

  account.command("passwd").description(
    "change an account's password, end its sessions, and turn off its receivers of pings",
  )
    .addArgument(name())
    .action(async (username: string) => {
      await withDatabase(terminal, async (database, config) => {
        const kind = config.session.passwords
        const passwordHash = await hashNewPassword(await readNewPassword(terminal), {
          username,
          kind,
        })
        const ended = await setPassword(database, username, passwordHash, authorOf(config))
        terminal.print(
          `The password of ${username} is changed, and its sessions have ended${numberOf(ended)}.${
            aboutPings(config)
          }`,
        )
      })
    })

  account.command("revoke").description(
    "end all sessions of an account, and turn off its receivers of pings",
  )
    .addArgument(name())
    .action(async (username: string) => {
      await withDatabase(terminal, async (database, config) => {
        const ended = await revokeSessions(database, username, authorOf(config))
        terminal.print(
          `The sessions of ${username} have ended${numberOf(ended)}.${aboutPings(config)}`,
        )
      })
    })

  account.command("disable").description("stop an account from logging in, and end its sessions")
    .addArgument(name())
    .option("--undo", "allow it to log in again; ends the sessions that were kept")
    .option("--keep-sessions", "let its sessions count again afterwards; give it both times")
    .action(async (username: string, { undo, keepSessions }: Record<string, true>) => {
      await withDatabase(terminal, async (database, config) => {
        const options = { keepSessions: keepSessions === true, by: authorOf(config) }
        const ended = await setDisabled(database, username, !undo, options)
        const done = undo ? "may log in again" : "cannot log in any more"
        const sessions = ended > 0 ? `, and its sessions have ended${numberOf(ended)}` : ""
        const pings = keepSessions ? "" : aboutPings(config)
        terminal.print(`${username} ${done}${sessions}.${pings}`)
      })
    })

  account.addCommand(sessionsCommand(terminal)).addCommand(endSessionCommand(terminal))

  account.command("list").description("list the accounts")
    .action(async () => {
      await withDatabase(terminal, async (database) => {
        const rows = (await listAccounts(database)).map((each) => [
          each.username,
          each.role,
          each.disabled ? "disabled" : "enabled",
          String(each.sessions),
          formatMoment(each.lastLogIn),
          formatMoment(each.lastPoll),
        ])
        const head = ["NAME", "ROLE", "STATE", "SESSIONS", "LAST LOG-IN", "LAST POLL"]
        terminal.print(textTable([head, ...rows]))
      })
    })

  return account
}

/** Says what else has ended, where that can be. */
function aboutPings({ capabilities }: Config): string {
  return capabilities.some(({ capability: { name } }) => name === "ping")
    ? " Its receivers of pings, if any, are off until they are challenged."
    : ""
}

/** Ends a sentence with the number of sessions that have ended. */
function numberOf(ended: number): string {
  return ended > 0 ? `: ${ended}, tokens included` : ""
}
