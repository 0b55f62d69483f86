import { LRUCache } from "lru-cache"
import type { Log } from "../log.ts"
import { type GrantedEvent, mostChanges } from "../access/admission.ts"
import type { Database } from "../data/database.ts"
import { settledChange } from "./settled.ts"

export interface VersionsOptions {
  readonly log: Log
  /** Milliseconds from choosing a base to making sure of it. */
  readonly pause?: number
  /** Changes behind a base beyond which a later one is sought, to keep the count short. */
  readonly many?: number
}

/**
 * The version of an event's records: two snapshots in which it is equal hold the same records.
 *
 * The triggers add a row to the change log in the transaction of each change, and nobody changes or
 * takes back a row, so two snapshots with the same rows hold the same records. Rows become visible
 * in the order of their transactions' commits, which is not that of their numbers: a number that was
 * the largest says nothing, for a smaller one may be committed later. But of two snapshots the later
 * one has every row of the earlier one, so equal counts mean equal rows.
 *
 * - **Pruning** takes rows away. It first moves up the time from which on the log is complete; only
 *   rows from then on are counted, and that time is part of the version.
 * - **The count stays short**, because it begins behind a base: a row up to which no transaction is
 *   open any more (`settledChange`).
 * - **Without a row in the log** there is no version: perhaps nobody keeps it.
 */
export class Versions {
  readonly #database: Database
  readonly #log: Log
  readonly #pause: number
  readonly #many: number
  readonly #bases = new LRUCache<string, number>({ max: 10_000 })
  readonly #settling = new Map<string, Promise<void>>()
  readonly #ended = new AbortController()

  constructor(database: Database, { log, pause = 1000, many = 100 }: VersionsOptions) {
    this.#database = database
    this.#log = log
    this.#pause = pause
    this.#many = many
  }

  /** Behind which row of the log the changes of an event are to be counted. */
  baseOf(eventId: string): number {
    return this.#bases.get(eventId) ?? 0
  }

  /** The version of an event; undefined where it is not known. */
  versionOf({ id, changes, base, completeSince }: GrantedEvent): string | undefined {
    if (changes > this.#many) this.#seekBase(id)
    if (changes > mostChanges || (base === 0 && changes === 0)) return undefined
    return `${base} ${changes} ${completeSince}`
  }

  /** Ends what goes on behind the requests' backs. */
  async close(): Promise<void> {
    this.#ended.abort()
    await Promise.all(this.#settling.values())
  }

  /** Seeks a later base for an event. @throws as `settledChange` */
  async settle(eventId: string): Promise<void> {
    const { signal } = this.#ended
    const base = this.baseOf(eventId)
    const settled = await settledChange(this.#database, {
      ...{ eventId, base, signal },
      pause: this.#pause,
    })
    if (settled !== undefined) this.#bases.set(eventId, settled)
  }

  #seekBase(eventId: string): void {
    if (this.#settling.has(eventId) || this.#ended.signal.aborted) return
    const settling = this.settle(eventId)
      .catch((error: unknown) => {
        if (this.#ended.signal.aborted) return
        this.#log.warn({ event: eventId, error }, "no later base yet; changes are counted on")
      })
      .finally(() => this.#settling.delete(eventId))
    this.#settling.set(eventId, settling)
  }
}
