import { Command, Option } from "commander"
import { UserError } from "../../../core/capability.ts"
import { formatMoment } from "../../../core/plugin.ts"
import {
  authorOf,
  parseEnd,
  type Terminal,
  textTable,
  withDatabase,
} from "../../../core/commands.ts"
import {
  grantAccess,
  type GrantLimits,
  type GrantListing,
  type GrantTarget,
  listGrants,
  withdrawAccess,
} from "./grants.ts"

interface GrantOptions {
  readonly organization?: string
  readonly event?: string
  readonly until?: string
  readonly from?: readonly string[]
}

/** `access`: manages what accounts may read. */
export function accessCommand(terminal: Terminal): Command {
  const access = new Command("access").description("manage what accounts may read")

  const changing = (name: string, description: string) =>
    access.command(name).description(description)
      .argument("<name>", "the user name")
      .addOption(
        new Option("--organization <slug>", "all events of an organization").conflicts("event"),
      )
      .addOption(new Option("--event <id>", "one event"))

  changing("grant", "let an account read")
    .option("--until <date>", "the last day (UTC), or a moment such as 2030-01-31T18:00:00Z")
    .option("--from <cidr>", "valid only from this network; may be repeated", collect)
    .action(async (username: string, options: GrantOptions) => {
      const target = targetOf(options)
      const limits = limitsOf(options)
      await withDatabase(terminal, async (database, config) => {
        await grantAccess(database, username, target, limits, authorOf(config))
        terminal.print(`${username} may read ${nameOf(target)}${describeLimits(limits)}.`)
      })
    })

  changing("withdraw", "take a grant back")
    .action(async (username: string, options: GrantOptions) => {
      const target = targetOf(options)
      await withDatabase(terminal, async (database, config) => {
        await withdrawAccess(database, username, target, authorOf(config))
        terminal.print(`${username} has no grant for ${nameOf(target)} any more.`)
      })
    })

  access.command("list").description("list the grants")
    .argument("[name]", "of this account only")
    .action(async (username: string | undefined) => {
      await withDatabase(terminal, async (database) => {
        const rows = (await listGrants(database, username)).map(toRow)
        terminal.print(textTable([["NAME", "GRANT ON", "", "UNTIL", "FROM"], ...rows]))
      })
    })

  return access
}

function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}

function targetOf({ organization, event }: GrantOptions): GrantTarget {
  if (organization !== undefined) return { organization }
  if (event !== undefined) return { event: event.toLowerCase() }
  throw new UserError("Name a target: --organization SLUG or --event ID. Nothing was changed.")
}

function nameOf(target: GrantTarget): string {
  return "event" in target ? target.event : target.organization
}

function limitsOf({ until, from }: GrantOptions): GrantLimits {
  return { ends: until === undefined ? undefined : parseEnd(until), networks: from }
}

function describeLimits({ ends, networks }: GrantLimits): string {
  return (ends === undefined ? "" : ` until ${formatMoment(ends)}`) +
    (networks === undefined ? "" : ` from ${networks.join(", ")}`)
}

function toRow({ username, target, name, ends, networks }: GrantListing): string[] {
  const ended = ends !== null && ends * 1000 <= Date.now() ? " (ended)" : ""
  const until = ends === null ? "" : formatMoment(ends)
  return [username, target, name, until + ended, networks?.join(" ") ?? ""]
}
