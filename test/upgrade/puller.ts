import type { Observations } from "../chaos/observations.ts"
import { type Outcome, Partner } from "../support/pull/partner.ts"
import { repeat } from "./readers.ts"

/** Runs the client pull again and again. */
export class Puller {
  /** Finished runs. */
  pulls = 0
  /** Keeps a copy in SQLite. */
  readonly partner: Partner
  readonly #observations: Observations
  readonly #leaving = new AbortController()
  #running: Promise<void> = Promise.resolve()

  constructor(base: string, observations: Observations) {
    this.partner = new Partner("sqlite", { base })
    this.#observations = observations
  }

  start(): void {
    this.#running = repeat(() => this.#pull(), this.#leaving.signal)
  }

  /** Runs it once more after what is running. */
  async finish(): Promise<void> {
    this.#leaving.abort()
    await this.#running
    await this.#pull()
  }

  async #pull(): Promise<void> {
    const { code, errors }: Outcome = await this.partner.run(["--limit", "50"])
    this.pulls++
    if (code !== 0) this.#observations.violate(`pull ended with ${code}: ${errors}`)
  }
}
