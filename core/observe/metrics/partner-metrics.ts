import { Counter, Gauge, type Registry } from "prom-client"
import { worstFirst } from "../../partners/definitions.ts"
import type { PartnerHealth } from "../../partners/partner-health.ts"
import type { PartnerNumbers } from "../../partners/partner-numbers.ts"
import type { Facts, Line } from "../../request/facts.ts"
import { BoundedLabels } from "./bounded-labels.ts"

/** The most partners with series of their own: the worst ones. All are in the counts by state. */
const mostPartners = 1000
/** The most accounts with counts of rejected parameters of their own. Those beyond are counted together. */
const mostAccounts = 200

/** Series by account: each gauge with the value that it shows of a partner; null shows none. */
const byAccount = {
  last_poll_timestamp_seconds: {
    help: "Time of the last read of a list, in Unix seconds.",
    value: ({ lastPoll }: PartnerHealth) => lastPoll,
  },
  poll_interval_seconds: {
    help: "The shortest Poll-Interval that was recommended last.",
    value: ({ pollInterval }: PartnerHealth) => pollInterval,
  },
  lag_seconds: {
    help: "How far back the list goes that is furthest behind; 0 if none is.",
    value: ({ lag }: PartnerHealth) => lag,
  },
  refused_timestamp_seconds: {
    help: "Time of the last request or log-in that was refused with 401, in Unix seconds.",
    value: ({ refused }: PartnerHealth) => refused?.at ?? null,
  },
  days_until_resync: {
    help: "Days until a list of deletions can no longer be continued.",
    value: ({ daysUntilResync }: PartnerHealth) => daysUntilResync,
  },
  deletions_waiting: {
    help: "Deletions that no completed walk has contained.",
    value: ({ deletionsWaiting }: PartnerHealth) => deletionsWaiting,
  },
} as const

/**
 * Shows how partners are doing, as the database says: the same on every instance, and after a restart. Counts the
 * parameters that were refused.
 *
 * Accounts with the roles `service` and `partner` are programs and have their names as labels. Operators are people,
 * and all have the label `operator`.
 */
export class PartnerMetrics {
  readonly #counts
  readonly #state
  readonly #gauges
  readonly #late
  readonly #rejected
  readonly #accounts: BoundedLabels<{ readonly account: string }>

  constructor(registry: Registry) {
    const registers = [registry]
    this.#counts = new Gauge({
      name: "event_export_partners",
      help: "Partners by state.",
      labelNames: ["state"],
      registers,
    })
    this.#state = new Gauge({
      name: "event_export_partner_state",
      help: "1 for the state that the partner is in.",
      labelNames: ["account", "state"],
      registers,
    })
    this.#gauges = Object.entries(byAccount).map(([name, { help, value }]) => {
      const labelNames = ["account"] as const
      const gauge = new Gauge({ name: `event_export_partner_${name}`, help, labelNames, registers })
      return { gauge, value }
    })
    this.#late = new Gauge({
      name: "event_export_partner_list_lag_seconds",
      help: "How far back a list goes that is behind; of the 1,000 that are furthest behind.",
      labelNames: ["account", "family", "event", "list"],
      registers,
    })
    this.#rejected = new Counter({
      name: "event_export_rejected_parameters_total",
      help: "Refused parameters.",
      labelNames: ["account", "parameter", "code"],
      registers,
    })
    this.#accounts = new BoundedLabels({
      most: mostAccounts,
      idle: Infinity,
      other: { account: "other" },
      forget: () => {},
    })
  }

  /** Counts the refused parameters of an answered request. */
  record({ line }: Facts): void {
    const { rejected, code = "" } = line
    if (!rejected || line.account === undefined) return
    const { account } = this.#accounts.admit({ account: nameOf(line) })
    for (const parameter of rejected) this.#rejected.inc({ account, parameter, code })
  }

  /** Takes over how partners are doing. Shows nothing if that is not known: nothing is better than the past. */
  update(numbers: PartnerNumbers | undefined): void {
    this.#counts.reset()
    this.#state.reset()
    this.#late.reset()
    for (const { gauge } of this.#gauges) gauge.reset()
    if (!numbers) return
    const { partners, late } = numbers
    for (const state of worstFirst) {
      this.#counts.set({ state }, partners.filter((each) => each.state === state).length)
    }
    for (const health of partners.slice(0, mostPartners)) {
      const { account, state } = health
      this.#state.set({ account, state }, 1)
      for (const { gauge, value } of this.#gauges) {
        const shown = value(health)
        if (shown !== null) gauge.set({ account }, shown)
      }
    }
    for (const { account, family, eventId, list, lag } of late) {
      this.#late.set({ account, family, event: eventId, list }, lag)
    }
  }
}

function nameOf({ role, account = "none" }: Line): string {
  return role === "operator" ? "operator" : account
}
