import process from "node:process"
import { DatabaseSync } from "node:sqlite"
import type { Observations } from "../chaos/observations.ts"
import { type Outcome, Partner } from "../../support/pull/partner.ts"
import { repeat } from "../chaos/repeat.ts"

/** Runs the client pull of a version again and again. */
export class Puller {
  /** Finished runs. */
  pulls = 0
  /** Keeps a copy in SQLite. */
  readonly partner: Partner
  readonly #base: string
  readonly #observations: Observations
  readonly #leaving = new AbortController()
  #running: Promise<void> = Promise.resolve()

  constructor(base: string, program: string, observations: Observations) {
    this.partner = new Partner("sqlite", { base, program: [process.execPath, program] })
    this.#base = base
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

  /** Lets the present client go on from what the copy is now. */
  async handOver(): Promise<void> {
    const present = new Partner("sqlite", { base: this.#base })
    const copy = new DatabaseSync(this.partner.place)
    copy.exec(`vacuum into '${present.place}'`)
    copy.close()
    const { code, errors, output } = await present.run()
    if (code !== 0) {
      this.#observations.violate(`the present pull ended with ${code}: ${output}${errors}`)
    }
    present.remove()
  }

  async #pull(): Promise<void> {
    const { code, errors }: Outcome = await this.partner.run(["--limit", "50"])
    this.pulls++
    if (code !== 0) this.#observations.violate(`pull ended with ${code}: ${errors}`)
  }
}
