import { LRUCache } from "lru-cache"
import type { Database } from "../data/database.ts"
import type { Log } from "../log.ts"
import { findBaseline } from "./baseline.ts"

/** What one snapshot of the change log says about an event. */
export interface EventChanges {
  readonly id: string
  /** The change-log row to count from. */
  readonly baseline: number
  /** Rows of the event above the baseline, counted up to `mostChanges` + 1. */
  readonly changes: number
  /** The time from which the change log is complete, in Unix seconds. */
  readonly completeSince: number
}

/** Upper bound for the count. An event that changes more often is not worth caching. */
export const mostChanges = 1000

/** How `Versions` moves baselines. */
export interface VersionsOptions {
  readonly log: Log
  /** Milliseconds between choosing a baseline and checking it. */
  readonly pause?: number
  /** Number of changes above which a later baseline is sought, to keep the count short. */
  readonly many?: number
}

/**
 * The version of an event's records: two snapshots with the same version hold the same records.
 *
 * The triggers add a row to the change log in the transaction of each change, and rows are never changed
 * or taken back, so two snapshots with the same rows hold the same records. Rows become visible
 * in the order of the commits, which is not the order of their numbers: the largest number says
 * nothing, because a smaller one may be committed later. But of two snapshots the later one has
 * every row of the earlier one, so equal counts mean equal rows.
 *
 * - **Pruning** removes rows. It first moves up the time from which the log is complete. Only rows
 *   from then on are counted, and that time is part of the version.
 * - **The count stays short** because it starts at a baseline: a row below which no transaction is
 *   open any more (`findBaseline`).
 * - **Without a row in the log** there is no version: perhaps no trigger writes it.
 */
export class Versions {
  readonly #database: Database
  readonly #log: Log
  readonly #pause: number
  readonly #many: number
  readonly #baselines = new LRUCache<string, number>({ max: 10_000 })
  readonly #advancing = new Map<string, Promise<void>>()
  readonly #ended = new AbortController()

  constructor(database: Database, { log, pause = 1000, many = 100 }: VersionsOptions) {
    this.#database = database
    this.#log = log
    this.#pause = pause
    this.#many = many
  }

  /** Returns the change-log row to count an event's changes from. */
  baselineOf(eventId: string): number {
    return this.#baselines.get(eventId) ?? 0
  }

  /** Returns the version of an event, or undefined if it is not known. */
  versionOf({ id, changes, baseline, completeSince }: EventChanges): string | undefined {
    if (changes > this.#many) this.#advanceInBackground(id)
    if (changes > mostChanges || (baseline === 0 && changes === 0)) return undefined
    return `${baseline} ${changes} ${completeSince}`
  }

  /** Ends the background work. */
  async close(): Promise<void> {
    this.#ended.abort()
    await Promise.all(this.#advancing.values())
  }

  /** Moves an event's baseline up. @throws as `findBaseline` does. */
  async advanceBaseline(eventId: string): Promise<void> {
    const baseline = await findBaseline(this.#database, {
      eventId,
      baseline: this.baselineOf(eventId),
      pause: this.#pause,
      signal: this.#ended.signal,
    })
    if (baseline !== undefined) this.#baselines.set(eventId, baseline)
  }

  #advanceInBackground(eventId: string): void {
    if (this.#advancing.has(eventId) || this.#ended.signal.aborted) return
    const advancing = this.advanceBaseline(eventId)
      .catch((error: unknown) => {
        if (this.#ended.signal.aborted) return
        this.#log.warn(
          { event: eventId, error },
          "cannot move the baseline yet; the count keeps growing",
        )
      })
      .finally(() => this.#advancing.delete(eventId))
    this.#advancing.set(eventId, advancing)
  }
}
