import { counter, type Exchange, gauge, type Metric } from "../../../core/capability.ts"
import type { NodeStatus } from "../../../core/nodes.ts"

/** Counts requests by the database server that served them. Lasts across configurations. */
export class NodeRequests {
  readonly #requests = new Map<string, number>()
  #retries = 0

  /** Counts an answered request. */
  record({ decided: { node, retries } }: Exchange): void {
    if (!node) return
    this.#requests.set(node, (this.#requests.get(node) ?? 0) + 1)
    if (retries) this.#retries++
  }

  /** Returns the metrics of servers in these states, labelled with their hosts and ports. */
  metrics(nodes: readonly NodeStatus[], failovers: number): readonly Metric[] {
    const each = (value: (node: NodeStatus) => number | null): Metric["values"] =>
      nodes.flatMap((node) => {
        const shown = value(node)
        return shown === null ? [] : [{ labels: { node: node.name }, value: shown }]
      })
    return [
      counter(
        "event_export_node_requests_total",
        "Requests by the database server that served them.",
        each(({ name }) => this.#requests.get(name) ?? 0),
      ),
      counter(
        "event_export_node_retries_total",
        "Requests that began again because a database server was away or behind.",
        this.#retries,
      ),
      gauge(
        "event_export_node_up",
        "1 if the database server answers.",
        each(({ role }) => Number(role !== "away")),
      ),
      gauge(
        "event_export_node_primary",
        "1 if the database server is the primary, which takes writes.",
        each(({ role }) => Number(role === "primary")),
      ),
      gauge(
        "event_export_node_behind_seconds",
        "Age of the last heartbeat of the primary that the database server has.",
        each(({ behind }) => behind),
      ),
      gauge(
        "event_export_node_stale",
        "1 if the database server is not read from because it is too far behind.",
        each(({ stale }) => Number(stale)),
      ),
      counter(
        "event_export_failovers_total",
        "How often another database server became the primary.",
        failovers,
      ),
    ]
  }
}
