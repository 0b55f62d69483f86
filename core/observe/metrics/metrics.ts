import { collectDefaultMetrics, Registry } from "prom-client"
import type { ConnectionLimit } from "../../http/connections.ts"
import type { Facts } from "../../request/facts.ts"
import type { ReloadOutcome } from "../../routes/contract.ts"
import type { PartnerNumbers } from "../../partners/partner-numbers.ts"
import { NodeMetrics } from "./node-metrics.ts"
import { PartnerMetrics } from "./partner-metrics.ts"
import { RequestMetrics } from "./request-metrics.ts"
import { ServiceMetrics, type ServiceNumbers } from "./service-metrics.ts"
import { SessionMetrics } from "./session-metrics.ts"

/** What a reading of the metrics takes over. */
interface MetricNumbers extends ServiceNumbers {
  /** Undefined if the database cannot say. */
  readonly partners: PartnerNumbers | undefined
}

/** The metrics of one process. They outlast its configurations. */
export class Metrics {
  readonly registry = new Registry()
  readonly #requests = new RequestMetrics(this.registry)
  readonly #partners = new PartnerMetrics(this.registry)
  readonly #service = new ServiceMetrics(this.registry)
  readonly #sessions = new SessionMetrics(this.registry)
  readonly #numbers: () => Promise<MetricNumbers>
  /** Undefined until there are several servers: those who have one get no series of them. */
  #nodes: NodeMetrics | undefined

  /** `numbers` is called at each reading of the metrics. */
  constructor(numbers: () => Promise<MetricNumbers>) {
    this.#numbers = numbers
    // Metrics of the process itself: memory, processor time, the lag of the event loop.
    collectDefaultMetrics({ register: this.registry })
  }

  /** Counts an answered request. */
  record(facts: Facts): void {
    this.#requests.record(facts)
    this.#partners.record(facts)
    if (facts.line.node !== undefined) this.#ofNodes().record(facts)
  }

  /** Counts a request that was refused before it was routed, with this code. */
  refuse(code: string): void {
    this.#requests.refuse(code)
  }

  /** Counts a connection beyond the limit of this setting. */
  refuseConnection(limit: ConnectionLimit): void {
    this.#requests.refuseConnection(limit)
  }

  /** Counts a changed configuration that was applied or refused. */
  reloaded(outcome: ReloadOutcome): void {
    this.#service.reloaded(outcome)
  }

  /** Returns all metrics in the text format of Prometheus, and its media type. */
  async read(): Promise<{ readonly text: string; readonly type: string }> {
    const { partners, ...numbers } = await this.#numbers()
    this.#service.update(numbers)
    this.#partners.update(partners)
    this.#sessions.update(numbers.sessionEnds)
    if (numbers.nodes) this.#ofNodes().update(numbers.nodes)
    return { text: await this.registry.metrics(), type: this.registry.contentType }
  }

  #ofNodes(): NodeMetrics {
    return this.#nodes ??= new NodeMetrics(this.registry)
  }
}
