/** Milliseconds in which the whole burst becomes free again. */
const second = 1000

/** What is left of a limit, and milliseconds until all of it is there again. */
export interface Left {
  readonly requests: number
  readonly reset: number
}

interface Permit {
  /** True if the request has been counted. A refused request is not. */
  readonly granted: boolean
  /** Milliseconds until the request may run; of a refused one, until it could have run. */
  readonly wait: number
}

/**
 * Limits requests per second, by key: that many at once, and then one whenever a share of the second has passed (the
 * generic cell rate algorithm), in the order of arrival.
 */
export class Pace {
  readonly #share: number
  readonly #keys: number
  /** By key, when nothing is used any more, on the clock of `performance.now()`; the key used last is the last. */
  readonly #free = new Map<string, number>()

  /** Remembers the `keys` that were used last; a key that is forgotten has its whole burst. */
  constructor({ perSecond, keys }: { readonly perSecond: number; readonly keys: number }) {
    this.#share = second / perSecond
    this.#keys = keys
  }

  /** Counts a request, unless it would have to wait longer than `patience` milliseconds. */
  take(key: string, patience = 0, now = performance.now()): Permit {
    const free = this.#freeAt(key, now) + this.#share
    const ahead = free - second - now
    // Sums of shares are not exact, and timers are not finer than a millisecond.
    const wait = ahead < 1 ? 0 : ahead
    const granted = ahead < patience + 1
    if (granted) this.#remember(key, free)
    return { granted, wait }
  }

  /** Takes back a part of a request: 1 is all of it. */
  giveBack(key: string, part: number, now = performance.now()): void {
    this.#remember(key, this.#freeAt(key, now) - part * this.#share)
  }

  left(key: string, now = performance.now()): Left {
    const reset = Math.max(0, this.#freeAt(key, now) - now)
    // A thousandth more than exact, as above.
    const requests = Math.floor((second - reset) / this.#share + 0.001)
    return { requests: Math.max(0, requests), reset }
  }

  #remember(key: string, free: number): void {
    this.#free.delete(key)
    const [oldest] = this.#free.size < this.#keys ? [] : this.#free.keys()
    if (oldest !== undefined) this.#free.delete(oldest)
    this.#free.set(key, free)
  }

  #freeAt(key: string, now: number): number {
    return Math.max(now, this.#free.get(key) ?? now)
  }
}
