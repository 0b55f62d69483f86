type Work<T> = (isShared: boolean) => Promise<T>

/** A run that has not begun. */
interface QueuedRun<T> {
  readonly result: Promise<T>
  /** True if several calls wait for it. */
  isShared: boolean
}

/**
 * Coalesces concurrent calls with the same key. A call that arrives while work is running waits for
 * the *next* run, so every result was started after it was requested and is never stale.
 */
export class Coalescer<T> {
  readonly #running = new Map<string, Promise<T>>()
  readonly #next = new Map<string, QueuedRun<T>>()

  /**
   * Returns the result of `work`, or fails as it does. Calls with the same `key` share a run; `work` is told whether
   * several get its result.
   */
  run(key: string, work: Work<T>): Promise<T> {
    const next = this.#next.get(key)
    if (next) {
      next.isShared = true
      return next.result
    }
    const running = this.#running.get(key)
    if (!running) return this.#begin(key, work, false)
    const begin = (): Promise<T> => {
      this.#next.delete(key)
      return this.#begin(key, work, queued.isShared)
    }
    const queued: QueuedRun<T> = { isShared: false, result: running.then(begin, begin) }
    this.#next.set(key, queued)
    return queued.result
  }

  #begin(key: string, work: Work<T>, isShared: boolean): Promise<T> {
    const working = work(isShared).finally(() => this.#running.delete(key))
    this.#running.set(key, working)
    return working
  }
}
