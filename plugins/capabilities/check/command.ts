import { Command } from "commander"
import type { Database, Plan } from "../../../core/capability.ts"
import { ExitError, loadPlan, type Terminal, withConfigured } from "../../../core/commands.ts"
import { readPlan } from "../../../core/inspection.ts"
import { findChanges, type PlanSummary, summarizePlan } from "./changes.ts"
import { readRunningStatus } from "./running-status.ts"
import { findDataFaults } from "./data-faults.ts"
import { findTrouble } from "./trouble.ts"

interface CheckFlags {
  readonly against?: string
  readonly strict?: true
  readonly data?: true
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
    .option("--data", "also read all records, and report those that partners do not get")
    .addHelpText("after", "\nExit codes: 0 good, 1 warnings with --strict, 2 errors.")
    .action(async ({ against, strict, data }: CheckFlags) => {
      const plan = await loadPlan(terminal)
      const { errors, warnings: found } = await findTrouble(plan)
      const faults = data && errors.length === 0 ? await withConfigured(plan, findDataFaults) : []
      const warnings = [...found, ...faults]
      for (const error of errors) terminal.warn(`error: ${error}`)
      for (const { about, message } of warnings) terminal.warn(`warning: ${about}: ${message}.`)
      if (errors.length > 0) throw new ExitError(2, `${plan.file} cannot be served.`)

      const { plugins, routes, file } = plan
      terminal.print(`${file} is good: ${plugins.length} plugins, ${routes.length} routes.`)
      const fixed = against === undefined ? 0 : await compare(against, plan, terminal)
      if (strict && warnings.length + fixed > 0) {
        throw new ExitError(1, "There are warnings, and --strict is set.")
      }
    })
}

/** Prints what a plan would change, and for whom. Returns the number of settings that a reload cannot change. */
async function compare(against: string, plan: Plan, terminal: Terminal): Promise<number> {
  const { fixed, routes, settings, readers } = await withConfigured(
    plan,
    async (database) =>
      await findChanges(database, await readSummary(against, { database, plan, terminal }), plan),
  )
  for (const { name, change } of fixed) {
    terminal.warn(`warning: ${name}: ${change}, only with a restart: a reload is refused.`)
  }
  const changes = [
    ...routes,
    ...settings.map(({ name, change }) => `~ ${name}: ${change}`),
  ]
  const step = fixed.length > 0 ? "a restart" : "a reload"
  const what = changes.length > 0 ? `:\n${changes.join("\n")}` : " no route and no other setting."
  terminal.print(`Against ${against}, ${step} would change${what}`)
  if (readers.length > 0) terminal.print(`Who gains or loses routes:\n${readers.join("\n")}`)
  return fixed.length
}

/** Returns what is compared of another configuration, or of a running server. */
async function readSummary(
  against: string,
  { database, plan, terminal }: {
    readonly database: Database
    readonly plan: Plan
    readonly terminal: Terminal
  },
): Promise<PlanSummary> {
  return /^https?:\/\//.test(against)
    ? await readRunningStatus(database, plan, against)
    : await summarizePlan(await readPlan(against, terminal.env))
}
