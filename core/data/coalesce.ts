/**
 * Coalesces concurrent calls with the same key. A call that arrives while work is running waits for
 * the *next* run, so every result was started after it was requested and is never stale.
 */
export class Coalescer<T> {
  readonly #running = new Map<string, Promise<T>>()
  readonly #next = new Map<string, Promise<T>>()

  /** Returns the result of `work`, or fails as it does. Calls with the same `key` share a run. */
  run(key: string, work: () => Promise<T>): Promise<T> {
    const next = this.#next.get(key)
    if (next) return next
    const running = this.#running.get(key)
    if (!running) return this.#begin(key, work)
    const begin = () => {
      this.#next.delete(key)
      return this.#begin(key, work)
    }
    const queued = running.then(begin, begin)
    this.#next.set(key, queued)
    return queued
  }

  #begin(key: string, work: () => Promise<T>): Promise<T> {
    const working = work().finally(() => this.#running.delete(key))
    this.#running.set(key, working)
    return working
  }
}
