import { counter, type Exchange, gauge, type Metric } from "../../../core/capability.ts"
import type { PartnerHealth } from "./partner-health.ts"
import type { PartnerNumbers } from "./partner-numbers.ts"
import { worstFirst } from "./definitions.ts"

/** The most partners with their own series, worst first. The counts by state include all. */
const mostPartners = 1000
/** The most accounts with their own counts of rejected parameters. Further ones are counted together. */
const mostAccounts = 200

/** Gauges per account: each with its value for a partner, or null for no series. */
const byAccount = {
  last_poll_timestamp_seconds: {
    help: "Time of the last read of a list, in Unix seconds.",
    value: ({ lastPoll }: PartnerHealth) => lastPoll,
  },
  poll_interval_seconds: {
    help: "Shortest Poll-Interval that was last recommended.",
    value: ({ pollInterval }: PartnerHealth) => pollInterval,
  },
  lag_seconds: {
    help: "How far the partner is behind with its worst list; 0 if it is not behind.",
    value: ({ lag }: PartnerHealth) => lag,
  },
  refused_timestamp_seconds: {
    help: "Time of the last request or log-in that was refused with 401, in Unix seconds.",
    value: ({ refused }: PartnerHealth) => refused?.at ?? null,
  },
  days_until_resync: {
    help: "Days until a list of deletions can no longer be continued, at the earliest.",
    value: ({ daysUntilResync }: PartnerHealth) => daysUntilResync,
  },
  deletions_waiting: {
    help: "Deletions that no completed walk has contained.",
    value: ({ deletionsWaiting }: PartnerHealth) => deletionsWaiting,
  },
} as const

/**
 * Returns metrics of how partners are doing, from the database: the same on every instance and after a restart. Without
 * current numbers it shows no series, rather than stale ones.
 */
export function partnerMetrics(numbers: PartnerNumbers | undefined): readonly Metric[] {
  const { partners = [], late = [] } = numbers ?? {}
  const worst = partners.slice(0, mostPartners)
  return [
    gauge(
      "event_export_partners",
      "Partners by state.",
      numbers
        ? worstFirst.map((state) => ({
          labels: { state },
          value: partners.filter((each) => each.state === state).length,
        }))
        : [],
    ),
    gauge(
      "event_export_partner_state",
      "1 for the state that the partner is in.",
      worst.map(({ account, state }) => ({ labels: { account, state }, value: 1 })),
    ),
    ...Object.entries(byAccount).map(([name, { help, value }]) =>
      gauge(
        `event_export_partner_${name}`,
        help,
        worst.flatMap((health) => {
          const shown = value(health)
          return shown === null ? [] : [{ labels: { account: health.account }, value: shown }]
        }),
      )
    ),
    gauge(
      "event_export_partner_list_lag_seconds",
      "How far a partner is behind with a list, for the 1,000 lists furthest behind.",
      late.map(({ account, family, eventId, list, lag }) => ({
        labels: { account, family, event: eventId, list },
        value: lag,
      })),
    ),
  ]
}

/**
 * Counts rejected parameters. Accounts of the roles `service` and `partner` are programs: their names are labels.
 * Operators and viewers are people: they share the label `operator`.
 */
export class RejectedParameters {
  /** The accounts with their own counts. */
  readonly #accounts = new Set<string>()
  readonly #counts = new Map<string, Metric["values"][number] & { value: number }>()

  /** Counts the rejected parameters of an answered request. */
  record(exchange: Exchange): void {
    const { decided: { admission }, sent: { problem } } = exchange
    const [rejected, username] = [exchange.rejected, exchange.account]
    if (!rejected || username === undefined) return
    const role = admission?.session.account.role
    const isPerson = role === "operator" || role === "viewer"
    const name = isPerson ? "operator" : username
    const code = problem?.code ?? ""
    if (this.#accounts.size < mostAccounts) this.#accounts.add(name)
    const account = this.#accounts.has(name) ? name : "other"
    for (const parameter of rejected) {
      const labels = { account, parameter, code }
      const key = Object.values(labels).join("\n")
      const count = this.#counts.get(key) ?? { labels, value: 0 }
      count.value++
      this.#counts.set(key, count)
    }
  }

  get metric(): Metric {
    return counter("event_export_rejected_parameters_total", "Refused parameters.", [
      ...this.#counts.values(),
    ])
  }
}
