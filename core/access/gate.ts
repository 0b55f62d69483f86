import { Coalescer } from "../data/coalesce.ts"
import type { Database, Waits } from "../data/database.ts"
import { type Admission, type AdmissionQuestion, lookUpAdmission } from "./admission.ts"

/** Looks up admissions. Equal questions that come together share one statement. */
export class Gate {
  readonly #database: Database
  readonly #coalescer = new Coalescer<Admission | undefined>()

  constructor(database: Database) {
    this.#database = database
  }

  /** Like `lookUpAdmission`. The result is never older than the call. @throws {Unavailable} */
  async lookUp(question: AdmissionQuestion, waits: Waits): Promise<Admission | undefined> {
    const { key: { session, epoch }, idle, address, eventId, tables, baseline } = question
    const name = JSON.stringify([session, epoch, idle, address, eventId, tables, baseline])
    waits.begin()
    try {
      return await this.#coalescer.run(
        name,
        () => this.#database.look((reader) => lookUpAdmission(reader, question)),
      )
    } finally {
      waits.end()
    }
  }
}
