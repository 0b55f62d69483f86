import { type Database, type Log, remember } from "../../../core/capability.ts"
import { type PartnerNumbers, readPartnerNumbers } from "./partner-numbers.ts"

/** Reads for the metrics how partners are doing, however often it is called: not more than every ten seconds. */
export class PartnerWatch {
  /** Returns how partners are doing; undefined if the database cannot say. Never rejects. */
  readonly numbers: () => Promise<PartnerNumbers | undefined>
  readonly #read: () => Promise<PartnerNumbers>
  readonly #log: Log
  /** The last reading has failed, and the log says so. */
  #hasFailed = false

  constructor(
    database: Database,
    { retention, log }: { readonly retention: number; readonly log: Log },
  ) {
    this.#read = () => readPartnerNumbers(database, { retention })
    this.#log = log
    this.numbers = remember(() => this.#refresh(), { fresh: 10_000, rest: 20 })
  }

  async #refresh(): Promise<PartnerNumbers | undefined> {
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
    }
  }
}
