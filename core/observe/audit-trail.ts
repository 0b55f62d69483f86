import { Batch, type BatchNumbers } from "../data/batch.ts"
import type { Database } from "../data/database.ts"
import type { Log } from "../log.ts"
import type { Observer } from "../request/facts.ts"
import { appendAudit, type AuditEntry } from "./audit-log.ts"

/**
 * Records who requested what, with what result: every request of an account for a list, and every
 * log-in attempt. Written in the background; never delays or fails a request.
 *
 * Callers without a session and requests over a rate limit are only in the log: nothing was read,
 * and a flood of them must not fill the database.
 */
export class AuditTrail {
  readonly #batch: Batch<AuditEntry>

  constructor(database: Database, log: Log) {
    this.#batch = new Batch((entries) => appendAudit(database, entries), { log, name: "audit" })
  }

  /** Records a request if it is about reading or logging in. */
  readonly record: Observer = ({ line }) => {
    const { action, account } = line
    if (!action || line.status === 429) return
    if (action === "list" && account === undefined) return
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

  get numbers(): BatchNumbers {
    return this.#batch.numbers
  }

  /** Writes the remaining entries. */
  async close(): Promise<void> {
    await this.#batch.drain()
  }
}
