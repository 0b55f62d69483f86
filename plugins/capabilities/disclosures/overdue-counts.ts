import { performance } from "node:perf_hooks"
import type { Database } from "../../../core/capability.ts"
import { countOverdue } from "./overdue.ts"

/** Milliseconds for which the counts are kept: to count anew may read many deletions. */
const lifetime = 300_000

/** Counts the guests whose erasure is overdue, by account, for metrics. */
export class OverdueCounts {
  readonly #database: Database
  readonly #days: number
  #counts: ReadonlyMap<string, number> = new Map()
  #countedAt = -Infinity
  #counting: Promise<void> | undefined

  /** Erasures are overdue so many days after the deletion. */
  constructor(database: Database, days: number) {
    this.#database = database
    this.#days = days
  }

  /**
   * Returns the counts by account, of five minutes ago at most once they are known, and begins to count anew if they
   * are older. Never waits for it, and never fails: if the database does not answer, the former counts stay.
   */
  get latest(): ReadonlyMap<string, number> {
    if (performance.now() - this.#countedAt >= lifetime) void this.count()
    return this.#counts
  }

  /** Counts anew. Never rejects. */
  count(): Promise<void> {
    return this.#counting ??= this.#database.inBackground(() => this.#count())
      .catch(() => {})
      .finally(() => this.#counting = undefined)
  }

  async #count(): Promise<void> {
    this.#countedAt = performance.now()
    this.#counts = await countOverdue(this.#database, this.#days)
  }
}
