import { Command } from "commander"
import { formatMoment } from "../../../core/plugin.ts"
import {
  ExitError,
  loadPlan,
  printableLine,
  type Terminal,
  textTable,
  withDatabase,
} from "../../../core/commands.ts"
import { isWrong } from "./definitions.ts"
import { describeDuration } from "./duration.ts"
import { findPartner } from "./find-partner.ts"
import { listPartners } from "./list-partners.ts"
import type { PartnerHealth } from "./partner-health.ts"

interface PartnersFlags {
  readonly json?: true
  readonly check?: true
}

/** `partners`: shows how each partner is doing, or all details of one. */
export function partnersCommand(terminal: Terminal): Command {
  return new Command("partners")
    .description("show which partners are in sync, worst first, or why one is not")
    .argument("[name]", "the user name of one partner")
    .option("--json", "everything that is known, as JSON")
    .option("--check", "fail (exit code 1) if a partner is not in sync")
    .action(async (name: string | undefined, flags: PartnersFlags) => {
      const plan = await loadPlan(terminal)
      await withDatabase(terminal, async (database) => {
        const options = { retention: plan.polling.retention }
        if (name === undefined) {
          const partners = await listPartners(database, options)
          if (flags.json) terminal.print(JSON.stringify(partners, null, 2))
          else terminal.print(textTable([head, ...partners.map(toRow)]))
          if (flags.check) assertInSync(partners)
          return
        }
        const report = await findPartner(database, name, { ...options, plan })
        if (flags.json) terminal.print(JSON.stringify(report, null, 2))
        else for (const sentence of report.sentences) terminal.print(printableLine(sentence))
        if (flags.check) assertInSync([report.health])
      })
    })
}

const head = ["NAME", "STATE", "SINCE", "LAST POLL", "LISTS", "BEHIND BY", "DELETIONS", "WHY"]

function toRow(health: PartnerHealth): string[] {
  const { account, state, since, lastPoll, lists, lag, reason } = health
  const { deletionsWaiting, moreDeletionsWaiting } = health
  return [
    account,
    state,
    since === null ? "-" : formatMoment(since),
    formatMoment(lastPoll),
    String(lists),
    lag === 0 ? "-" : describeDuration(lag),
    deletionsWaiting === 0 ? "-" : `${deletionsWaiting}${moreDeletionsWaiting ? "+" : ""} waiting`,
    reason,
  ]
}

function assertInSync(partners: readonly PartnerHealth[]): void {
  const others = partners.filter(({ state }) => isWrong(state))
  if (others.length === 0) return
  throw new ExitError(1, `Not in sync: ${others.map(({ account }) => account).join(", ")}.`)
}
