import { setTimeout } from "node:timers/promises"
import { LRUCache } from "lru-cache"
import type { Database } from "../data/database.ts"
import type { Log } from "../log.ts"
import { findSettled, type SettledSearch } from "./settled.ts"

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
  /** Waits until each number that was handed out has its row in the log; by default a second. */
  readonly pause?: SettledSearch["pause"]
  /** Number of changes above which a later baseline is sought, to keep the count short. */
  readonly many?: number
  /** Milliseconds until the next search after one in vain. Doubles each time, up to 32 times as long. */
  readonly rest?: number
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
 *   open any more (`findSettled`).
 * - **Without a row in the log** there is no version: perhaps no trigger writes it.
 */
export class Versions {
  readonly #database: Database
  readonly #options: Required<VersionsOptions>
  readonly #baselines = new LRUCache<string, number>({ max: 10_000 })
  /** The events that need a later baseline. */
  readonly #waiting = new Set<string>()
  #settledUpTo = 0
  #searching: Promise<void> | undefined
  #searchesInVain = 0
  #restsUntil = -Infinity
  readonly #ended = new AbortController()

  constructor(database: Database, options: VersionsOptions) {
    this.#database = database
    this.#options = { pause: aSecond, many: 100, rest: 1000, ...options }
  }

  /** Returns the change-log row to count an event's changes from. */
  baselineOf(eventId: string): number {
    return this.#baselines.get(eventId) ?? 0
  }

  /** Returns the version of an event, or undefined if it is not known. */
  versionOf({ id, changes, baseline, completeSince }: EventChanges): string | undefined {
    if (changes > this.#options.many) this.#advanceInBackground(id)
    if (changes > mostChanges || (baseline === 0 && changes === 0)) return undefined
    return `${baseline} ${changes} ${completeSince}`
  }

  /** Ends the background work. */
  async close(): Promise<void> {
    this.#ended.abort()
    await this.#searching
  }

  /**
   * Moves the baselines of events up as far as possible. Returns true if they are up to date, false
   * if a transaction is open that changes one of them.
   *
   * @throws as `findSettled` does.
   */
  async advanceBaselines(eventIds: readonly string[]): Promise<boolean> {
    const { upTo, top, open } = await findSettled(this.#database, {
      from: this.#settledUpTo,
      pause: this.#options.pause,
      signal: this.#ended.signal,
    })
    this.#settledUpTo = upTo
    for (const id of eventIds) {
      const baseline = open.has(id) ? upTo : top
      if (baseline > this.baselineOf(id)) this.#baselines.set(id, baseline)
    }
    return !eventIds.some((id) => open.has(id))
  }

  /** Runs one search at a time, and after one in vain rests. Events that wait call again. */
  #advanceInBackground(eventId: string): void {
    this.#waiting.add(eventId)
    if (this.#searching || this.#ended.signal.aborted || performance.now() < this.#restsUntil) {
      return
    }
    this.#searching = this.#search().finally(() => (this.#searching = undefined))
  }

  /** Never throws. */
  async #search(): Promise<void> {
    const { log, rest } = this.#options
    const events = [...this.#waiting]
    this.#waiting.clear()
    try {
      if (await this.advanceBaselines(events)) {
        this.#searchesInVain = 0
        return
      }
      log.debug({ events: events.length }, "a transaction is open; the baseline stays")
    } catch (error) {
      if (this.#ended.signal.aborted) return
      log.warn({ error }, "cannot move the baseline now; the count keeps growing")
    }
    this.#restsUntil = performance.now() + rest * 2 ** Math.min(this.#searchesInVain++, 5)
  }
}

function aSecond(signal: AbortSignal): Promise<unknown> {
  return setTimeout(1000, undefined, { signal, ref: false })
}
