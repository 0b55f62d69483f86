import { Command, Option } from "commander"
import { DataError } from "../data/accounts.ts"
import { grantAccess, type GrantTarget, listGrants, withdrawAccess } from "../data/grants.ts"
import type { Terminal } from "../terminal.ts"
import { table, withDatabase } from "./context.ts"

interface TargetOptions {
  readonly organization?: string
  readonly event?: string
}

/** `access`: what each account may read. */
export function accessCommand(terminal: Terminal): Command {
  const access = new Command("access").description("manage what accounts may read")

  const changing = (
    name: string,
    description: string,
    change: typeof grantAccess,
    done: (username: string, target: string) => string,
  ) =>
    access.command(name).description(description)
      .argument("<name>", "the user name")
      .addOption(
        new Option("--organization <slug>", "all events of an organization").conflicts("event"),
      )
      .addOption(new Option("--event <id>", "one event"))
      .action(async (username: string, options: TargetOptions, command: Command) => {
        const target = targetOf(options)
        await withDatabase(command, terminal, async (database) => {
          await change(database, username, target)
          terminal.print(done(username, Object.values(target)[0] ?? ""))
        })
      })

  changing("grant", "let an account read", grantAccess, (who, what) => `${who} may read ${what}.`)
  changing(
    "withdraw",
    "take a grant back",
    withdrawAccess,
    (who, what) => `The grant of ${who} on ${what} is gone.`,
  )

  access.command("list").description("list the grants")
    .argument("[name]", "of this account only")
    .action(async (username: string | undefined, _options: object, command: Command) => {
      await withDatabase(command, terminal, async (database) => {
        const rows = (await listGrants(database, username)).map((
          grant,
        ) => [grant.username, grant.target, grant.name])
        terminal.print(table([["NAME", "GRANT ON", ""], ...rows]))
      })
    })

  return access
}

function targetOf({ organization, event }: TargetOptions): GrantTarget {
  if (organization !== undefined) return { organization }
  if (event !== undefined) return { event: event.toLowerCase() }
  throw new DataError("Say on what: --organization SLUG or --event ID. Nothing was changed.")
}
