import type { ReloadOutcome } from "../routes/contract.ts"

/** Reloads of a configuration: one at a time, in order. */
export class Reloads {
  readonly #apply: () => Promise<void>
  readonly #report: (outcome: ReloadOutcome) => void
  #last: ReloadOutcome | null = null
  #running: Promise<unknown> = Promise.resolve()
  #isClosed = false

  /** `apply` applies the configuration file as it is then, or throws and changes nothing. Each outcome is reported. */
  constructor(apply: () => Promise<void>, report: (outcome: ReloadOutcome) => void) {
    this.#apply = apply
    this.#report = report
  }

  /** The last outcome; null if there is none. */
  get last(): ReloadOutcome | null {
    return this.#last
  }

  /** Never rejects. Once closed, refuses. */
  run(trigger: string): Promise<ReloadOutcome> {
    const outcome = this.#running.then(() => this.#attempt(trigger))
    this.#running = outcome
    return outcome
  }

  /** Refuses from now on. Resolves when none is running or waiting. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#running
  }

  async #attempt(trigger: string): Promise<ReloadOutcome> {
    let reason: string | null = null
    try {
      if (this.#isClosed) throw new Error("the service is stopping")
      await this.#apply()
    } catch (error) {
      reason = (error as Error).message
    }
    const at = Math.floor(Date.now() / 1000)
    const result = reason === null ? "applied" : "refused"
    const outcome = { at, result, trigger, reason } as const
    this.#last = outcome
    this.#report(outcome)
    return outcome
  }
}
