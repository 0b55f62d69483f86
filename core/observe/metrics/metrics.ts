import { collectDefaultMetrics, Registry } from "prom-client"
import type { Answered } from "../../request/facts.ts"
import type { ReloadOutcome } from "../../routes/contract.ts"
import { PartnerMetrics } from "./partner-metrics.ts"
import { RequestMetrics } from "./request-metrics.ts"
import { ServiceMetrics, type ServiceNumbers } from "./service-metrics.ts"

/** The metrics of one process, for as long as it lives: they outlast its configurations. */
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
    this.#service.update(await this.#numbers())
    return { text: await this.registry.metrics(), type: this.registry.contentType }
  }
}
