import { translateError, Unavailable } from "../data/unavailable.ts"
import type { ReloadOutcome } from "../routes/contract.ts"

interface ReloadsOptions {
  /** Called with each outcome, except if an attempt failed as the one before it. */
  readonly report: (outcome: ReloadOutcome) => void
  /** Milliseconds until the next attempt. Doubles each time, up to half a minute. */
  readonly pause?: number
}

/** The most milliseconds until the next attempt. */
const longestPause = 30_000

/**
 * Reloads of a configuration: one at a time, in order. If one fails because the database is away, tries
 * again by itself until it is applied, or until another reload takes its place.
 */
export class Reloads {
  readonly #apply: () => Promise<void>
  readonly #options: Required<ReloadsOptions>
  #last: ReloadOutcome | null = null
  #running: Promise<unknown> = Promise.resolve()
  #again: ReturnType<typeof setTimeout> | undefined
  /** Attempts in a row that failed because the database was away. */
  #failures = 0
  #isClosed = false

  /** `apply` applies the configuration file as it is then, or throws and changes nothing. */
  constructor(apply: () => Promise<void>, options: ReloadsOptions) {
    this.#apply = apply
    this.#options = { pause: 1000, ...options }
  }

  /** The last outcome that was reported; null if there is none. */
  get last(): ReloadOutcome | null {
    return this.#last
  }

  /** Never rejects. Once closed, refuses. */
  run(trigger: string): Promise<ReloadOutcome> {
    if (this.#isClosed) return Promise.resolve(this.#refuse(trigger, "the service is stopping"))
    return this.#next(() => {
      this.#failures = 0
      return this.#attempt(trigger)
    })
  }

  /** Refuses from now on. Resolves when none is running or waiting. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#again)
    await this.#running
  }

  #next(work: () => Promise<ReloadOutcome>): Promise<ReloadOutcome> {
    const outcome = this.#running.then(() => {
      clearTimeout(this.#again)
      return work()
    })
    this.#running = outcome
    return outcome
  }

  async #attempt(trigger: string): Promise<ReloadOutcome> {
    try {
      await this.#apply()
      return this.#report({ at: now(), result: "applied", trigger, reason: null, retrying: false })
    } catch (thrown) {
      const error = translateError(thrown)
      const retrying = error instanceof Unavailable && !this.#isClosed
      if (retrying) this.#tryAgain(trigger)
      if (retrying && this.#failures > 1 && this.#last) return this.#last
      return this.#refuse(trigger, (error as Error).message, retrying)
    }
  }

  #refuse(trigger: string, reason: string, retrying = false): ReloadOutcome {
    return this.#report({ at: now(), result: "refused", trigger, reason, retrying })
  }

  #tryAgain(trigger: string): void {
    const pause = Math.min(this.#options.pause * 2 ** this.#failures++, longestPause)
    this.#again = setTimeout(() => void this.#next(() => this.#attempt(trigger)), pause)
    this.#again.unref()
  }

  #report(outcome: ReloadOutcome): ReloadOutcome {
    this.#last = outcome
    this.#options.report(outcome)
    return outcome
  }
}

/** In seconds since 1970. */
function now(): number {
  return Math.floor(Date.now() / 1000)
}
