import { collectDefaultMetrics, Counter, Gauge, Registry } from "prom-client"
import type { Exchange, Metric, RunningService, ServiceEvent } from "../../../core/capability.ts"
import { instanceMetrics, processMetrics } from "./kernel-metrics.ts"
import { requestMetrics } from "./request-metrics.ts"

/** What is measured of a process, besides its requests. */
interface MeasuredProcess {
  readonly service: Pick<RunningService, "instance">
  /** Returns how many lines of the log standard output did not take. */
  lostLines(): number
}

/** The metrics of one process. They outlast its configurations. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #requests = requestMetrics(this.#registry)
  readonly #reloads = { applied: 0, refused: 0 }
  readonly #process: MeasuredProcess

  constructor(process: MeasuredProcess) {
    this.#process = process
    // Metrics of the process itself: memory, processor time, the lag of the event loop.
    collectDefaultMetrics({ register: this.#registry })
  }

  /** Counts an answered request. */
  record(exchange: Exchange): void {
    this.#requests.record(exchange)
  }

  /** Counts reloads, and requests and connections that were refused early. */
  tell(event: ServiceEvent): void {
    if (event.kind === "reloaded") this.#reloads[event.outcome.result]++
    if (event.kind === "refused") this.#requests.refuse(event.code)
    if (event.kind === "refused connection") this.#requests.refuseConnection(event.limit)
  }

  /** Returns all metrics, as they are now, in the text format of Prometheus, and its media type. */
  async read(): Promise<{ readonly text: string; readonly type: string }> {
    const { service: { instance }, lostLines } = this.#process
    const others = registryOf([
      ...processMetrics({ reloads: this.#reloads, lostLines: lostLines() }),
      ...await instanceMetrics(instance),
      ...await instance.metrics(),
    ])
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
