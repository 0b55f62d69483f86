/** How many requests may begin per second on average, and at once after a rest. */
interface Bounds {
  readonly perSecond: number
  readonly atOnce: number
}

/** For a process: a request with a new connection takes some milliseconds of processor time from polls. */
export const ofProcess: Bounds = { perSecond: 200, atOnce: 400 }

/** For a host and port, for all accounts together: they cannot conspire to flood it. */
export const toHost: Bounds = { perSecond: 10, atOnce: 20 }

/** Limits how many requests begin in a time. */
export class Pace {
  readonly #now: () => number
  readonly #bounds: Bounds
  #left: number
  #at = -Infinity

  /** `now` are milliseconds of a clock that nobody sets. */
  constructor(now: () => number, bounds: Bounds) {
    this.#now = now
    this.#bounds = bounds
    this.#left = bounds.atOnce
  }

  /** True if the last request began so long ago that it no longer counts. */
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
