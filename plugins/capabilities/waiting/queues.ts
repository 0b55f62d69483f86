import { setImmediate } from "node:timers/promises"

/** Limits how many run at the same time per key. The others wait in order of arrival. */
export class Queues {
  readonly #running = new Map<string, number>()
  readonly #waiting = new Map<string, Set<() => void>>()

  /**
   * Waits for one of a key's `most` places, and takes it until the result is disposed of (more than once does no harm).
   * Returns undefined if the signal aborts first.
   */
  async enter(key: string, most: number, signal?: AbortSignal): Promise<Disposable | undefined> {
    if (signal?.aborted) return undefined
    const free = this.take(key, most)
    if (free) return free
    return await this.#wait(key, signal) ? this.#place(key) : undefined
  }

  /** Takes a place like `enter`, if one is free now. */
  take(key: string, most: number): DisposableStack | undefined {
    const running = this.#running.get(key) ?? 0
    if (running >= most) return undefined
    this.#running.set(key, running + 1)
    return this.#place(key)
  }

  #place(key: string): DisposableStack {
    const place = new DisposableStack()
    place.defer(() => this.#leave(key))
    return place
  }

  /** Resolves to true once a place is free, or to false if the signal aborts first. */
  async #wait(key: string, signal: AbortSignal | undefined): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const start = () => resolve(true)
    const waiting = this.#waiting.get(key) ?? new Set()
    this.#waiting.set(key, waiting.add(start))
    const giveUp = () => {
      if (waiting.delete(start)) resolve(false)
    }
    signal?.addEventListener("abort", giveUp)
    const isStarted = await promise
    // Work on an embedded database has no pauses: without this one, everything else would wait for the whole queue.
    await setImmediate()
    signal?.removeEventListener("abort", giveUp)
    return isStarted
  }

  #leave(key: string): void {
    const waiting = this.#waiting.get(key)
    const [next] = waiting ?? []
    if (next) {
      waiting?.delete(next)
      next()
      return
    }
    this.#waiting.delete(key)
    const left = (this.#running.get(key) ?? 1) - 1
    if (left > 0) this.#running.set(key, left)
    else this.#running.delete(key)
  }
}
