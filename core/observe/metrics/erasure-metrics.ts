import { Gauge, type Registry } from "prom-client"

/** Metrics of the erasures that partners should have acknowledged, updated at each reading. */
export class ErasureMetrics {
  readonly #overdue

  constructor(registry: Registry) {
    this.#overdue = new Gauge({
      name: "event_export_erasures_overdue",
      help:
        "Deleted guests that the account received and whose deletion it has not acknowledged in time.",
      labelNames: ["account"],
      registers: [registry],
    })
  }

  /** Takes over the numbers, by account. */
  update(overdue: ReadonlyMap<string, number>): void {
    this.#overdue.reset()
    for (const [account, guests] of overdue) this.#overdue.set({ account }, guests)
  }
}
