import { Counter, Gauge, type Registry } from "prom-client"
import type { ChangeLogNumbers } from "../../change-log/change-log.ts"

/** Metrics of how the change log is followed, updated at each reading. */
export class ChangeLogMetrics {
  readonly #faults
  readonly #age
  readonly #oldestOpen
  readonly #deadlocks

  constructor(registry: Registry) {
    const registers = [registry]
    this.#faults = new Gauge({
      name: "event_export_trigger_faults",
      help: "Triggers that are missing or different, and tables that were made anew.",
      registers,
    })
    this.#age = new Gauge({
      name: "event_export_open_changes_look_age_seconds",
      help: "Time since the last look at open changes: Next-Since stands still as long.",
      registers,
    })
    this.#oldestOpen = new Gauge({
      name: "event_export_oldest_open_change_seconds",
      help: "Age of the oldest change that is not committed: Next-Since stays behind it.",
      registers,
    })
    this.#deadlocks = new Counter({
      name: "event_export_database_deadlocks_total",
      help: "Deadlocks on the database server, if the user may read them.",
      registers,
    })
  }

  /** Takes over the numbers. */
  update({ faults, age, oldestOpen, deadlocks }: ChangeLogNumbers): void {
    this.#faults.set(faults.length)
    this.#age.set(age ?? 0)
    this.#oldestOpen.set(oldestOpen)
    this.#deadlocks.reset()
    if (deadlocks !== undefined) this.#deadlocks.inc(deadlocks)
  }
}
