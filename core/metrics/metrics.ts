import { AggregatorRegistry, collectDefaultMetrics, type MetricObject, Registry } from "prom-client"
import type { Answered } from "../http/answered.ts"
import type { ReloadOutcome } from "../status.ts"
import { PartnerMetrics } from "./partner-metrics.ts"
import { RequestMetrics } from "./request-metrics.ts"
import { ServiceMetrics, type ServiceNumbers } from "./service-metrics.ts"

/**
 * The metrics of one process, for as long as it lives: they outlast its configurations. Where several
 * processes serve together, every metric here says how they are put together.
 */
export class Metrics {
  readonly registry = new Registry()
  readonly #requests = new RequestMetrics(this.registry)
  readonly #partners = new PartnerMetrics(this.registry)
  readonly #service = new ServiceMetrics(this.registry)
  readonly #numbers: () => Promise<ServiceNumbers>

  /** `numbers` is asked whenever somebody reads the metrics. */
  constructor(numbers: () => Promise<ServiceNumbers>) {
    this.#numbers = numbers
    // Of the process itself: memory, processor time, the event loop's lag.
    collectDefaultMetrics({ register: this.registry })
  }

  /** A request has been answered. */
  record(answered: Answered): void {
    this.#requests.record(answered)
    this.#partners.record(answered)
  }

  /** A request was refused before it got anywhere, with this code. */
  refuse(code: string): void {
    this.#requests.refuse(code)
  }

  /** A changed configuration was put into force, or refused. */
  reloaded(outcome: ReloadOutcome): void {
    this.#service.reloaded(outcome)
  }

  /** All metrics in Prometheus' text format, and its media type. */
  async read(): Promise<{ readonly text: string; readonly type: string }> {
    return await inText(await this.#current())
  }

  /** All metrics, to be put together with those of other processes. */
  async part(): Promise<MetricsPart> {
    return await (await this.#current()).getMetricsAsJSON()
  }

  async #current(): Promise<Registry> {
    this.#service.update(await this.#numbers())
    return this.registry
  }
}

/** The metrics of one of several processes: data that can be sent. */
export type MetricsPart = readonly MetricObject[]

/** Puts the metrics of several processes together, as `Metrics.read` answers those of one. */
export async function readTogether(
  parts: readonly MetricsPart[],
): Promise<{ readonly text: string; readonly type: string }> {
  return await inText(AggregatorRegistry.aggregate([...parts]))
}

async function inText(
  registry: Registry,
): Promise<{ readonly text: string; readonly type: string }> {
  return { text: await registry.metrics(), type: registry.contentType }
}
