import { collectDefaultMetrics, Counter, Gauge, Registry } from "prom-client"
import type { Facts, Metric, Refused } from "../../../core/capability.ts"
import { RequestMetrics } from "./request-metrics.ts"

/** The metrics of one process. They outlast its configurations. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #requests = new RequestMetrics(this.#registry)
  readonly #others: () => Promise<readonly Metric[]>

  /** `others` is called at each reading: returns the metrics of the service and of its capabilities. */
  constructor(others: () => Promise<readonly Metric[]>) {
    this.#others = others
    // Metrics of the process itself: memory, processor time, the lag of the event loop.
    collectDefaultMetrics({ register: this.#registry })
  }

  /** Counts an answered request. */
  record(facts: Facts): void {
    this.#requests.record(facts)
  }

  /** Counts what was refused before it was a request for the service. */
  refuse(refusal: Refused): void {
    if (refusal.code !== undefined) this.#requests.refuse(refusal.code)
    else this.#requests.refuseConnection(refusal.limit)
  }

  /** Returns all metrics in the text format of Prometheus, and its media type. */
  async read(): Promise<{ readonly text: string; readonly type: string }> {
    const others = registryOf(await this.#others())
    const texts = [await this.#registry.metrics(), await others.metrics()]
    return { text: texts.join("\n"), type: this.#registry.contentType }
  }
}

function registryOf(metrics: readonly Metric[]): Registry {
  const registry = new Registry()
  for (const { name, help, kind, values } of metrics) {
    const labelNames = [...new Set(values.flatMap(({ labels = {} }) => Object.keys(labels)))]
    const settings = { name, help, labelNames, registers: [registry] }
    if (kind === "gauge") {
      const gauge = new Gauge(settings)
      for (const { labels = {}, value } of values) gauge.set(labels, value)
    } else {
      const counter = new Counter(settings)
      for (const { labels = {}, value } of values) counter.inc(labels, value)
    }
  }
  return registry
}
