import { boundedCache } from "../data/bounded-cache.ts"
import { type Change, rowOf } from "../access/changes.ts"
import { Batch, type BatchNumbers, type DropCount } from "../data/batch.ts"
import type { Database } from "../data/database.ts"
import { Problem, retryLater } from "../http/problems.ts"
import type { Log } from "../log.ts"
import type { Observer } from "../request/facts.ts"
import { appendAudit, type AuditEntry } from "./audit-log.ts"

/** Milliseconds, if not the usual ones. */
export interface AuditTimes {
  /** How long an entry may wait to be written. */
  readonly patience?: number
  /** The most between two attempts to write. */
  readonly longestPause?: number
  /** How long closing may take. */
  readonly closing?: number
  /** How long entries are collected. */
  readonly delay?: number
}

/** The settings of an audit trail. */
export interface AuditSettings extends AuditTimes {
  /** True to refuse reading and logging in while entries wait for longer than they may. */
  readonly required: boolean
}

/**
 * Records who requested what, with what result: every request of an account for a list, and every
 * attempt to log in or out. Written in the background; never delays or fails a request.
 *
 * Callers without a session and requests over a rate limit are only in the log: nothing was read,
 * and a flood of them must not fill the database. A session that has ended has an entry once a minute.
 */
export class AuditTrail {
  readonly #batch: Batch<AuditEntry>
  readonly #settings: Required<AuditSettings>
  readonly #refused = boundedCache<true>({ most: 10_000, ttl: 60_000 })

  constructor(
    database: Database,
    { log, drops, ...settings }: AuditSettings & {
      readonly log: Log
      readonly drops: DropCount
    },
  ) {
    this.#settings = {
      patience: 60_000,
      longestPause: 10_000,
      closing: 5000,
      delay: 250,
      ...settings,
    }
    const write = (entries: readonly AuditEntry[], signal: AbortSignal) =>
      appendAudit(database, entries, signal)
    const { longestPause, delay } = this.#settings
    this.#batch = new Batch(write, { log, name: "audit", drops, longestPause, delay })
  }

  /** `delayed` if entries have been waiting to be written for longer than they may. */
  get state(): "ok" | "delayed" {
    return this.#batch.numbers.age > this.#settings.patience ? "delayed" : "ok"
  }

  /**
   * Returns if a request may be answered that has to be recorded.
   *
   * @throws {Problem} 503 if recording is required and entries cannot be written.
   */
  readonly assertRecording = (): void => {
    if (this.#settings.required && this.state === "delayed") {
      throw new Problem("unavailable", "Requests cannot be recorded now.", retryLater)
    }
  }

  /** Records a request if it is about reading or logging in. */
  readonly record: Observer = ({ line, admission, ended }) => {
    const { action, account } = line
    if (!action || line.status === 429) return
    if (action === "list" && !admission && !(ended && this.#isNews(ended.session))) return
    this.#batch.add({
      action,
      at: Math.floor(Date.now() / 1000),
      account: account ?? null,
      address: line.address,
      request_id: line.id,
      plugin: line.family ?? null,
      route: line.route ?? null,
      event_id: line.event ?? null,
      since: line.since ?? null,
      first: line.offset ?? null,
      cursor_text: line.cursor ?? null,
      search_length: line.searchLength ?? null,
      sent: line.rows ?? null,
      status: line.status,
      code: line.code ?? null,
      milliseconds: Math.round(line.ms),
    })
  }

  /** Returns true once a minute for a session that has ended. */
  #isNews(session: string): boolean {
    if (this.#refused.has(session)) return false
    this.#refused.set(session, true)
    return true
  }

  /** Records a change that the service makes of its own accord. */
  recordChange(change: Change): void {
    this.#batch.add({ at: Math.floor(Date.now() / 1000), ...rowOf(change) })
  }

  get numbers(): BatchNumbers {
    return this.#batch.numbers
  }

  /** Writes the remaining entries, or drops them if that takes long. */
  async close(): Promise<void> {
    await this.#batch.close(this.#settings.closing)
  }
}
