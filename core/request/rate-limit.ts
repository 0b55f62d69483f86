import type { RemainingRequests } from "../routes/internals.ts"

interface Permit {
  /** True if the request has been counted. A refused request is not. */
  readonly granted: boolean
  /** Milliseconds until the request may run; of a refused one, until it could have run. */
  readonly wait: number
}

interface RateLimitOptions {
  /** The requests of a key that may run in each period. */
  readonly requests: number
  /** Milliseconds. */
  readonly period: number
  /** The number of keys that are remembered, those used last. A key that is forgotten has all its requests. */
  readonly keys: number
}

/**
 * Limits the requests per period, by key: all of them at once, and then one whenever its share of the period has passed
 * (the generic cell rate algorithm), in the order of arrival.
 */
export class RateLimit {
  readonly #period: number
  readonly #share: number
  readonly #keys: number
  /**
   * By key, the time at which all its requests are free again, on the clock of `performance.now()`; the latest used key
   * is last.
   */
  readonly #free = new Map<string, number>()

  constructor({ requests, period, keys }: RateLimitOptions) {
    this.#period = period
    this.#share = period / requests
    this.#keys = keys
  }

  /** Counts a request, unless it would have to wait longer than `patience` milliseconds. */
  take(key: string, patience = 0, now = performance.now()): Permit {
    const free = this.#freeAt(key, now) + this.#share
    const ahead = free - this.#period - now
    // Sums of shares are not exact, and timers are not finer than a millisecond.
    const wait = ahead < 1 ? 0 : ahead
    const granted = ahead < patience + 1
    if (granted) this.#remember(key, free)
    return { granted, wait }
  }

  /** Counts further requests that run already, also fractions of one; takes back negative ones. */
  add(key: string, requests: number, now = performance.now()): void {
    this.#remember(key, this.#freeAt(key, now) + requests * this.#share)
  }

  left(key: string, now = performance.now()): RemainingRequests["burst"] {
    const reset = Math.max(0, this.#freeAt(key, now) - now)
    // A thousandth more than exact, as above.
    const requests = Math.floor((this.#period - reset) / this.#share + 0.001)
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
