import type { Category } from "../../../core/records/categories.ts"
import type { Random } from "../../support/random.ts"

/** A record that a writer may change. Another writer may have deleted it meanwhile. */
export interface KnownRecord {
  readonly eventId: string
  readonly category: Category
  readonly id: string
}

/** Deleted records that are remembered. */
const most = 200

/** The records that all writers change together, and those that they have deleted. */
export class KnownRecords {
  readonly eventIds: readonly string[]
  #present: KnownRecord[] = []
  #deleted: KnownRecord[] = []

  constructor(eventIds: readonly string[]) {
    this.eventIds = eventIds
  }

  get size(): number {
    return this.#present.length
  }

  /** Takes over what is in the tables: transactions that failed have been forgotten there. */
  replaceAll(records: readonly KnownRecord[]): void {
    const ids = new Set(records.map(({ id }) => id))
    this.#present = [...records]
    this.#deleted = this.#deleted.filter(({ id }) => !ids.has(id)).slice(-most)
  }

  add(record: KnownRecord): void {
    this.#present.push(record)
  }

  /** Returns a record; undefined if there is none of this kind. */
  pick(random: Random, isGuest?: boolean): KnownRecord | undefined {
    const found = isGuest === undefined
      ? this.#present
      : this.#present.filter(({ category }) => (category === "guests") === isGuest)
    return found.length === 0 ? undefined : random.pick(found)
  }

  /** Takes a record for deleting it. */
  remove(record: KnownRecord): void {
    const at = this.#present.indexOf(record)
    if (at < 0) return
    this.#present.splice(at, 1)
    this.#deleted.push(record)
  }

  /** Takes a deleted record for inserting it again. */
  restore(random: Random): KnownRecord | undefined {
    if (this.#deleted.length === 0) return undefined
    const [record] = this.#deleted.splice(random.below(this.#deleted.length), 1)
    return record
  }
}
