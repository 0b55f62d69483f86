import { setTimeout as sleep } from "node:timers/promises"
import type { ServiceProcess } from "../chaos/service-process.ts"

/** Milliseconds between two probes of a service. */
const every = 500

/** A service, as who asks it knows it. */
export type Probed = Pick<ServiceProcess, "name" | "url">

/** What a service said, and when it was asked and had answered, on the clock of `performance.now()`. */
interface Probe {
  readonly asked: number
  readonly answered: number
  /** Why it is not ready; undefined if it is. */
  readonly reason: string | undefined
}

/** Asks services whether they are ready, as a load balancer does. */
export class Readiness {
  readonly #ended = new AbortController()
  readonly #probes = new Map<string, Probe[]>()
  readonly #running: readonly Promise<void>[]

  constructor(services: readonly Probed[]) {
    this.#running = services.map((service) => this.#follow(service))
  }

  /** Returns why a service was not ready, at any time between these; undefined if it was. */
  whyUnready(name: string, from: number, until = performance.now()): string | undefined {
    const probes = this.#of(name)
    const first = Math.max(0, probes.findLastIndex(({ answered }) => answered <= from))
    return probes.slice(first).find(({ asked, reason }) => reason !== undefined && asked <= until)
      ?.reason
  }

  /** True if the last answer of a service was that it is ready. */
  isReady(name: string): boolean {
    const last = this.#of(name).at(-1)
    return last !== undefined && last.reason === undefined
  }

  async close(): Promise<void> {
    this.#ended.abort()
    await Promise.all(this.#running)
  }

  #of(name: string): Probe[] {
    return this.#probes.get(name) ?? []
  }

  async #follow({ name, url }: Probed): Promise<void> {
    const probes: Probe[] = []
    this.#probes.set(name, probes)
    while (!this.#ended.signal.aborted) {
      const asked = performance.now()
      // One that is killed says nothing.
      const answer = await probe(`${url}/readyz`).catch(() => undefined)
      const answered = performance.now()
      if (answer) probes.push({ asked, answered, ...answer })
      await sleep(every)
    }
  }
}

async function probe(url: string): Promise<Pick<Probe, "reason">> {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) })
  const { detail = `status ${response.status}` } = await response.json() as { detail?: string }
  return { reason: response.ok ? undefined : detail }
}
