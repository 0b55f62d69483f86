import type { AuditChange } from "../../../core/accounts.ts"
import type { Log } from "../../../core/capability.ts"
import type { Server } from "./server.ts"
import type { Servers } from "./servers.ts"

interface FailoversOptions {
  readonly log: Log
  /** Records a change in the background. */
  readonly recordChange: (change: Pick<AuditChange, "action" | "detail">) => void
}

/** Logs, records and counts failovers: whenever another server of the database becomes the primary. */
export class Failovers {
  readonly #options: FailoversOptions
  /** The primary; while there is none, the last one. */
  #last: Server | undefined
  #count = 0
  /** Ends the watch. */
  readonly stop: () => void

  constructor(servers: Pick<Servers, "primary" | "onPrimary">, options: FailoversOptions) {
    this.#options = options
    this.#last = servers.primary
    this.stop = servers.onPrimary((to) => to ? this.#arrived(to) : this.#left())
  }

  /** Number of failovers since the watch began. */
  get count(): number {
    return this.#count
  }

  #left(): void {
    const fields = { from: this.#last?.name }
    this.#options.log.warn(fields, "no server of the database takes writes now; log-ins get 503")
  }

  #arrived(to: Server): void {
    const { log, recordChange } = this.#options
    const from = this.#last
    this.#last = to
    if (!from || from === to) {
      return log.info({ to: to.name }, "a server of the database takes writes again")
    }
    this.#count++
    log.warn(
      { from: from.name, to: to.name },
      "failover: another server of the database is primary",
    )
    recordChange({ action: "failover", detail: `${from.name} to ${to.name}` })
  }
}
