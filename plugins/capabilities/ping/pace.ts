/** How many requests may begin per second on average, and at once after a pause. */
interface Bounds {
  readonly perSecond: number
  readonly atOnce: number
}

/** For a process: a request on a new connection costs milliseconds of processor time that polls need. */
export const ofProcess: Bounds = { perSecond: 200, atOnce: 400 }

/** For a host and port, over all accounts: together they cannot flood it either. */
export const toHost: Bounds = { perSecond: 10, atOnce: 20 }

/** Limits how many requests begin per second. */
export class Pace {
  readonly #now: () => number
  readonly #bounds: Bounds
  #left: number
  #at = -Infinity

  /** `now` returns milliseconds of a monotonic clock. */
  constructor(now: () => number, bounds: Bounds) {
    this.#now = now
    this.#bounds = bounds
    this.#left = bounds.atOnce
  }

  /** True if the full burst is available again. */
  get isRested(): boolean {
    return this.left === this.#bounds.atOnce
  }

  /** The number of requests that may begin now. */
  get left(): number {
    const now = this.#now()
    const { perSecond, atOnce } = this.#bounds
    this.#left = Math.min(atOnce, this.#left + (now - this.#at) / 1000 * perSecond)
    this.#at = now
    return Math.floor(this.#left)
  }

  /** Counts a request. */
  take(): void {
    this.#left--
  }
}
