/** How many requests are begun in a second, for long, and at once after a rest. */
interface Bounds {
  readonly perSecond: number
  readonly atOnce: number
}

/** Of a process: a request with a new connection takes some milliseconds of processor time from polls. */
export const ofProcess: Bounds = { perSecond: 200, atOnce: 400 }

/** To one host and port, whoever has registered it: accounts that mean to cannot flood it together. */
export const toHost: Bounds = { perSecond: 10, atOnce: 20 }

/** Bounds how many requests are begun in a time. */
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

  /** True if nothing was begun for so long that it does not count any more. */
  get isRested(): boolean {
    return this.left === this.#bounds.atOnce
  }

  /** How many may be begun now. */
  get left(): number {
    const now = this.#now()
    const { perSecond, atOnce } = this.#bounds
    this.#left = Math.min(atOnce, this.#left + (now - this.#at) / 1000 * perSecond)
    this.#at = now
    return Math.floor(this.#left)
  }

  /** Counts one that is begun. */
  take(): void {
    this.#left--
  }
}
