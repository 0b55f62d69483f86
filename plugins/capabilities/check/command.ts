import { Command } from "commander"
import {
  compareFixedSettings,
  fixedSettings,
  type Plan,
  planOf,
  readPlan,
  Refusal,
  type Status,
  summarizeRoutes,
  type Terminal,
  withConfigured,
} from "../../../core/capability.ts"
import { describeRouteChanges } from "./route-changes.ts"
import { readRunningStatus } from "./running-status.ts"
import { findTrouble } from "./trouble.ts"

interface CheckFlags {
  readonly against?: string
  readonly strict?: true
}

/** `check`: reports everything that can be known about a configuration without serving it. */
export function checkCommand(terminal: Terminal): Command {
  return new Command("check")
    .description("check the configuration and its database, and show what it would change")
    .option(
      "--against <file or url>",
      "show the changes to another configuration or a running server",
    )
    .option("--strict", "fail on warnings")
    .addHelpText("after", "\nExit codes: 0 good, 1 warnings with --strict, 2 errors.")
    .action(async ({ against, strict }: CheckFlags) => {
      const plan = await planOf(terminal)
      const { errors, warnings } = await findTrouble(plan)
      for (const error of errors) terminal.warn(`error: ${error}`)
      for (const { about, message } of warnings) terminal.warn(`warning: ${about}: ${message}.`)
      if (errors.length > 0) throw new Refusal(2, `${plan.file} cannot be served.`)

      const { plugins, routes, file } = plan
      terminal.print(`${file} is good: ${plugins.length} plugins, ${routes.length} routes.`)
      const fixed = against === undefined ? 0 : await compare(against, plan, terminal)
      if (strict && warnings.length + fixed > 0) {
        throw new Refusal(1, "There are warnings, and --strict is set.")
      }
    })
}

/** Prints what a plan would change. Returns the number of settings that a reload cannot change. */
async function compare(against: string, plan: Plan, terminal: Terminal): Promise<number> {
  const before = await stateOf(against, plan, terminal)
  const fixed = compareFixedSettings(before.fixedSettings, fixedSettings(plan))
  for (const { name, change } of fixed) {
    terminal.warn(
      `warning: ${name}: it ${change}, and changes only with a restart: a reload is refused.`,
    )
  }
  const changes = describeRouteChanges(before.routes, summarizeRoutes(plan.routes))
  const step = fixed.length > 0 ? "a restart" : "a reload"
  terminal.print(
    changes.length > 0
      ? `Against ${against}, ${step} would change:\n${changes.join("\n")}`
      : `Against ${against}, ${step} would change nothing that partners see.`,
  )
  return fixed.length
}

/** Returns what is compared of another configuration, or of a running server. */
async function stateOf(
  against: string,
  plan: Plan,
  terminal: Terminal,
): Promise<Pick<Status, "routes" | "fixedSettings">> {
  if (/^https?:\/\//.test(against)) {
    return await withConfigured(plan, (database) => readRunningStatus(database, plan, against))
  }
  const other = await readPlan(against, terminal.env)
  return { routes: summarizeRoutes(other.routes), fixedSettings: fixedSettings(other) }
}
