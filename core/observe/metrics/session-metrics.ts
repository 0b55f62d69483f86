import { Gauge, type Registry } from "prom-client"

/** Metrics of the sessions of unattended programs, updated at each reading. They come from the database. */
export class SessionMetrics {
  readonly #ends

  constructor(registry: Registry) {
    this.#ends = new Gauge({
      name: "event_export_session_expires_timestamp_seconds",
      help: "Time at which the first session in use by an account's unattended program ends.",
      labelNames: ["account"],
      registers: [registry],
    })
  }

  /** Takes over the ends of sessions, in Unix seconds by account; undefined if they cannot be read now. */
  update(ends: ReadonlyMap<string, number> | undefined): void {
    if (!ends) return
    this.#ends.reset()
    for (const [account, time] of ends) this.#ends.set({ account }, time)
  }
}
