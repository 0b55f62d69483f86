import { performance } from "node:perf_hooks"
import type { Database } from "../data/database.ts"
import type { Log } from "../log.ts"
import { type PartnerNumbers, readPartnerNumbers } from "../partners/partner-numbers.ts"

/** Milliseconds for which a result is good enough. */
const freshness = 10_000

/** How many times as long as it took to read a result is good enough at least. */
const rest = 20

/** Reads for the metrics how partners are doing, however often it is called: not more than every ten seconds. */
export class PartnerWatch {
  readonly #read: () => Promise<PartnerNumbers>
  readonly #log: Log
  #result: Promise<PartnerNumbers | undefined> | undefined
  /** When the next reading is due, on the clock of `performance.now()`. */
  #due = 0
  /** The last reading has failed, and the log says so. */
  #hasFailed = false

  constructor(
    database: Database,
    { retention, log }: { readonly retention: number; readonly log: Log },
  ) {
    this.#read = () => readPartnerNumbers(database, { retention })
    this.#log = log
  }

  /** Returns how partners are doing; undefined if the database cannot say. Never rejects. */
  numbers(): Promise<PartnerNumbers | undefined> {
    if (this.#result && performance.now() < this.#due) return this.#result
    this.#due = Infinity
    return this.#result = this.#refresh()
  }

  async #refresh(): Promise<PartnerNumbers | undefined> {
    const begun = performance.now()
    try {
      const numbers = await this.#read()
      if (this.#hasFailed) this.#log.info({}, "the metrics of partners are read again")
      this.#hasFailed = false
      return numbers
    } catch (error) {
      const message = "cannot read for the metrics how partners are doing"
      if (!this.#hasFailed) this.#log.warn({ error }, message)
      this.#hasFailed = true
      return undefined
    } finally {
      const ended = performance.now()
      this.#due = ended + Math.max(freshness, rest * (ended - begun))
    }
  }
}
