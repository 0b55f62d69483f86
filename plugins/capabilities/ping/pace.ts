/** Requests in a second, for long: one with a new connection takes some milliseconds of processor time from polls. */
const perSecond = 200

/** Requests that are made at once after a rest. */
export const mostAtOnce = 400

/** Bounds how many requests are begun in a time. */
export class Pace {
  readonly #now: () => number
  #left = mostAtOnce
  #at = -Infinity

  /** `now` are milliseconds of a clock that nobody sets. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** How many may be begun now. */
  get left(): number {
    const now = this.#now()
    this.#left = Math.min(mostAtOnce, this.#left + (now - this.#at) / 1000 * perSecond)
    this.#at = now
    return Math.floor(this.#left)
  }

  /** Counts one that is begun. */
  take(): void {
    this.#left--
  }
}
