import { type Owner, owner } from "./virtual/time.ts"
import type { SimulatedService } from "./service.ts"

/** One life of a process of the service, from its start to its end: nothing of it goes on in the next one. */
export class Life implements Owner {
  isDead = false
  readonly of: SimulatedService
  /** Its exchanges that are not over. Each tells whether all was sent. */
  readonly exchanges = new Set<PromiseWithResolvers<boolean>>()
  readonly #crashed = Promise.withResolvers<never>()

  constructor(of: SimulatedService) {
    this.of = of
    this.#crashed.promise.catch(() => {})
  }

  /** Does something in the process. @throws {Crash} if it dies meanwhile, or is dead. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return Promise.race([owner.run(this, work), this.#crashed.promise])
  }

  /** Ends what waits for it. */
  crash(): void {
    this.isDead = true
    this.#crashed.reject(new Crash())
  }
}

/** The process that did something died meanwhile. */
export class Crash extends Error {
  override readonly name = "Crash"
}
