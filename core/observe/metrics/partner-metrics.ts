import { Counter, Gauge, type Registry } from "prom-client"
import type { Facts, Line, PageFacts } from "../../request/facts.ts"
import { BoundedLabels } from "./bounded-labels.ts"

/** Upper bounds for the series by event and for the accounts. Those beyond are counted together. */
const mostSeries = 1000
const mostAccounts = 200

/** Milliseconds without a poll after which a series may give way to another. */
const idle = 86_400_000

const labelNames = ["account", "family", "event", "list"] as const
type SeriesLabels = Readonly<Record<(typeof labelNames)[number], string>>
const other = { account: "other", family: "other", event: "other", list: "other" }

/**
 * Counts how partners poll, by account and event: whether they do, how far back, and whether they
 * reach the last page.
 *
 * Accounts with the roles `service` and `partner` are programs and have their names as labels.
 * Operators are people, and all have the label `operator`.
 */
export class PartnerMetrics {
  readonly #lastPoll
  readonly #interval
  readonly #sinceAge
  readonly #begun
  readonly #completed
  readonly #rejected
  readonly #series: BoundedLabels<SeriesLabels>
  readonly #accounts: BoundedLabels<{ readonly account: string }>

  constructor(registry: Registry) {
    const registers = [registry]
    this.#lastPoll = new Gauge({
      name: "event_export_partner_last_poll_timestamp_seconds",
      help: "Time of the last read of a list, in Unix seconds.",
      labelNames,
      registers,
    })
    this.#interval = new Gauge({
      name: "event_export_partner_poll_interval_seconds",
      help: "The last recommended Poll-Interval.",
      labelNames,
      registers,
    })
    this.#sinceAge = new Gauge({
      name: "event_export_partner_since_age_seconds",
      help: "How far back the since of the last walk was, if it was not negative.",
      labelNames,
      registers,
    })
    this.#begun = new Counter({
      name: "event_export_partner_walks_begun_total",
      help: "First pages read.",
      labelNames,
      registers,
    })
    this.#completed = new Counter({
      name: "event_export_partner_walks_completed_total",
      help: "Last pages read, and 304s.",
      labelNames,
      registers,
    })
    this.#rejected = new Counter({
      name: "event_export_rejected_parameters_total",
      help: "Refused parameters.",
      labelNames: ["account", "parameter", "code"],
      registers,
    })
    const gauges = [this.#lastPoll, this.#interval, this.#sinceAge]
    const counters = [this.#begun, this.#completed]
    this.#series = new BoundedLabels<SeriesLabels>({
      most: mostSeries,
      idle,
      other,
      forget: (labels) => [...gauges, ...counters].forEach((metric) => metric.remove(labels)),
    })
    this.#accounts = new BoundedLabels({
      most: mostAccounts,
      idle: Infinity,
      other: { account: "other" },
      forget: () => {},
    })
  }

  /** Counts an answered request. */
  record({ line, page }: Facts): void {
    const { rejected, code = "" } = line
    if (rejected && line.account !== undefined) {
      const { account } = this.#accounts.admit({ account: nameOf(line) })
      for (const parameter of rejected) this.#rejected.inc({ account, parameter, code })
    }
    if (page) this.#poll(line, page)
  }

  #poll(line: Line, { list, pollInterval, hasNext }: PageFacts): void {
    const labels = this.#series.admit({
      account: nameOf(line),
      family: line.family ?? "none",
      event: line.event ?? "none",
      list: list.name,
    })
    const now = Date.now() / 1000
    this.#lastPoll.set(labels, now)
    this.#interval.set(labels, pollInterval)
    const isFirst = line.cursor === undefined && (line.offset ?? 0) === 0
    if (isFirst) {
      this.#begun.inc(labels)
      if (line.since !== undefined && line.since >= 0) {
        this.#sinceAge.set(labels, Math.max(0, now - line.since))
      }
    }
    // Clients that page by offset read an empty page after the last one.
    const isAfterLast = !isFirst && line.rows === 0
    if (!hasNext && !isAfterLast) this.#completed.inc(labels)
  }
}

function nameOf({ role, account = "none" }: Line): string {
  return role === "operator" ? "operator" : account
}
