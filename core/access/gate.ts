import { type Caller, type CallerQuestion, findCaller } from "./admission.ts"
import type { Database, Waits } from "../data/database.ts"
import { Turns } from "../data/coalesce.ts"

/** Finds callers. Requests of one session for one event that come together ask the database once. */
export class Callers {
  readonly #database: Database
  readonly #turns = new Turns<Caller | undefined>()

  constructor(database: Database) {
    this.#database = database
  }

  /** As `findCaller`; what it tells is never of before the call. @throws {Unavailable} */
  async find(question: CallerQuestion, waits: Waits): Promise<Caller | undefined> {
    const { key: { session, epoch }, idle, address, eventId, among, base } = question
    const name = JSON.stringify([session, epoch, idle, address, eventId, among, base])
    waits.begin()
    try {
      return await this.#turns.take(
        name,
        () => this.#database.look((reader) => findCaller(reader, question)),
      )
    } finally {
      waits.end()
    }
  }
}
