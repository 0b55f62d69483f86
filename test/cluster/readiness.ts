import { setTimeout as sleep } from "node:timers/promises"
import type { Observations } from "../chaos/observations.ts"
import type { ServiceProcess } from "../chaos/service-process.ts"

/** Milliseconds between two probes of a service. */
const every = 500

/** What a service said, and when it was asked and had answered, on the clock of `performance.now()`. */
interface Probe {
  readonly asked: number
  readonly answered: number
  readonly isReady: boolean
}

/** Asks services whether they are ready, as a load balancer does. */
export class Readiness {
  readonly #observations: Observations
  readonly #ended = new AbortController()
  readonly #probes = new Map<string, Probe[]>()
  readonly #unready = new Map<string, number>()
  readonly #running: readonly Promise<void>[]

  constructor(services: readonly ServiceProcess[], observations: Observations) {
    this.#observations = observations
    this.#running = services.map((service) => this.#follow(service))
  }

  /** True if a service said that it is not ready, at any time between these. */
  wasUnready(name: string, from: number, until = performance.now()): boolean {
    return this.#of(name).some(({ asked, answered, isReady }) =>
      !isReady && answered >= from && asked <= until
    )
  }

  /** True if the last answer of a service was that it is ready. */
  isReady(name: string): boolean {
    return this.#of(name).at(-1)?.isReady ?? false
  }

  /** Milliseconds in which services were not ready during a fault, added up. */
  unready(fault: string): number {
    return this.#unready.get(fault) ?? 0
  }

  async close(): Promise<void> {
    this.#ended.abort()
    await Promise.all(this.#running)
  }

  #of(name: string): Probe[] {
    return this.#probes.get(name) ?? []
  }

  async #follow({ name, url }: ServiceProcess): Promise<void> {
    const probes: Probe[] = []
    this.#probes.set(name, probes)
    while (!this.#ended.signal.aborted) {
      const { fault } = this.#observations
      const asked = performance.now()
      const status = await statusOf(`${url}/readyz`)
      const answered = performance.now()
      // One that is killed says nothing.
      if (status !== undefined) probes.push({ asked, answered, isReady: status === 200 })
      await sleep(every)
      if (status === undefined || status === 200) continue
      this.#unready.set(fault, this.unready(fault) + performance.now() - asked)
    }
  }
}

async function statusOf(url: string): Promise<number | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(10_000) })
    await response.body?.cancel()
    return response.status
  } catch {
    return undefined
  }
}
