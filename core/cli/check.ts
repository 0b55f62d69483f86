import { Command } from "commander"
import { findTrouble } from "../kernel/check.ts"
import type { Config } from "../config/read.ts"
import { withConfigured } from "../kernel/configured-database.ts"
import { describeRouteChanges } from "../routes/route-changes.ts"
import { summarizeRoutes } from "../kernel/status.ts"
import type { RouteSummary } from "../routes/contract.ts"
import { readPlan } from "../routes/plan.ts"
import type { Terminal } from "./terminal.ts"
import { planOf } from "./context.ts"
import { Refusal } from "./refusal.ts"
import { readRunningStatus } from "./running.ts"

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
    .action(async ({ against, strict }: CheckFlags, command: Command) => {
      const plan = await planOf(command, terminal)
      const { errors, warnings } = await findTrouble(plan)
      for (const error of errors) terminal.warn(`error: ${error}`)
      for (const { about, message } of warnings) terminal.warn(`warning: ${about}: ${message}.`)
      if (errors.length > 0) throw new Refusal(2, `${plan.file} cannot be served.`)

      const { plugins, routes, file } = plan
      terminal.print(`${file} is good: ${plugins.length} plugins, ${routes.length} routes.`)
      if (against !== undefined) {
        const before = await routesOf(against, plan, terminal)
        const changes = describeRouteChanges(before, summarizeRoutes(routes))
        terminal.print(
          changes.length > 0
            ? `Against ${against}, a reload would change:\n${changes.join("\n")}`
            : `Against ${against}, a reload would change nothing that partners see.`,
        )
      }
      if (strict && warnings.length > 0) {
        throw new Refusal(1, "There are warnings, and --strict is set.")
      }
    })
}

async function routesOf(
  against: string,
  config: Config,
  terminal: Terminal,
): Promise<readonly RouteSummary[]> {
  if (!/^https?:\/\//.test(against)) {
    return summarizeRoutes((await readPlan(against, terminal.env)).routes)
  }
  return await withConfigured(
    config,
    async (database) => (await readRunningStatus(database, config, against)).routes,
  )
}
