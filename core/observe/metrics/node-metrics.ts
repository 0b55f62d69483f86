import { Counter, Gauge, type Registry } from "prom-client"
import type { Facts } from "../../request/facts.ts"
import type { NodeStatus } from "../../routes/contract.ts"

/** The servers of a database at the time of a reading of the metrics. */
export interface NodeNumbers {
  readonly all: readonly NodeStatus[]
  /** How often another one became the primary. */
  readonly failovers: number
}

/** Metrics of the servers of a database, for services that have several. Labels are their hosts and ports. */
export class NodeMetrics {
  readonly #requests
  readonly #retries
  readonly #up
  readonly #primary
  readonly #behind
  readonly #stale
  readonly #failovers

  constructor(registry: Registry) {
    const registers = [registry]
    const ofNode = { labelNames: ["node"], registers } as const
    this.#requests = new Counter({
      name: "event_export_node_requests_total",
      help: "Requests by the database server that they were read from.",
      ...ofNode,
    })
    this.#retries = new Counter({
      name: "event_export_node_retries_total",
      help: "Requests that began again because a database server was away or behind.",
      registers,
    })
    this.#up = new Gauge({
      name: "event_export_node_up",
      help: "1 if the database server answers.",
      ...ofNode,
    })
    this.#primary = new Gauge({
      name: "event_export_node_primary",
      help: "1 if the database server is the one that is written to.",
      ...ofNode,
    })
    this.#behind = new Gauge({
      name: "event_export_node_behind_seconds",
      help: "Age of the primary's last heartbeat that the database server has.",
      ...ofNode,
    })
    this.#stale = new Gauge({
      name: "event_export_node_stale",
      help: "1 if the database server is not read from because it is too far behind.",
      ...ofNode,
    })
    this.#failovers = new Counter({
      name: "event_export_failovers_total",
      help: "How often another database server became the primary.",
      registers,
    })
  }

  /** Counts an answered request. */
  record({ line: { node, retries } }: Facts): void {
    if (node !== undefined) this.#requests.inc({ node })
    if (retries !== undefined) this.#retries.inc()
  }

  /** Takes over the numbers. Failovers are counted anew with each configuration. */
  update({ all, failovers }: NodeNumbers): void {
    for (const gauge of [this.#up, this.#primary, this.#behind, this.#stale]) gauge.reset()
    for (const { name: node, role, behind, stale } of all) {
      this.#requests.inc({ node }, 0)
      this.#up.set({ node }, Number(role !== "away"))
      this.#primary.set({ node }, Number(role === "primary"))
      this.#stale.set({ node }, Number(stale))
      if (behind !== null) this.#behind.set({ node }, behind)
    }
    this.#failovers.reset()
    this.#failovers.inc(failovers)
  }
}
