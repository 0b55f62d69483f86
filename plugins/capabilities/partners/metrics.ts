import { counter, type Exchange, gauge, type Metric } from "../../../core/capability.ts"
import type { PartnerHealth } from "./partner-health.ts"
import type { PartnerNumbers } from "./partner-numbers.ts"
import { worstFirst } from "./definitions.ts"

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
    help: "Days until a list of deletions can no longer be continued, at the earliest.",
    value: ({ daysUntilResync }: PartnerHealth) => daysUntilResync,
  },
  deletions_waiting: {
    help: "Deletions that no completed walk has contained.",
    value: ({ deletionsWaiting }: PartnerHealth) => deletionsWaiting,
  },
} as const

/**
 * Returns how partners are doing, as the database says: the same on every instance, and after a restart. Shows nothing
 * if that is not known: nothing is better than the past.
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
      "How far back a list goes that is behind; of the 1,000 that are furthest behind.",
      late.map(({ account, family, eventId, list, lag }) => ({
        labels: { account, family, event: eventId, list },
        value: lag,
      })),
    ),
  ]
}

/**
 * Counts the parameters that were refused. Accounts with the roles `service` and `partner` are programs and have their
 * names as labels. Operators and viewers are people, and all have the label `operator`.
 */
export class RejectedParameters {
  /** Those with counts. */
  readonly #accounts = new Set<string>()
  readonly #counts = new Map<string, Metric["values"][number] & { value: number }>()

  /** Counts the refused parameters of an answered request. */
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
