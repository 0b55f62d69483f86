import { Batch, type BatchNumbers } from "../data/batch.ts"
import { appendAudit, type AuditEntry } from "./audit-log.ts"
import type { Database } from "../data/database.ts"
import type { Log } from "../log.ts"
import type { Line } from "../request/facts.ts"

/**
 * Who asked for what, and what came of it: every listing that an account asked for, and every log-in
 * that was tried. Written behind the requests' backs; it never delays and never fails one.
 *
 * Callers without a session, and requests that were refused for their number, are in the log alone:
 * nothing was read, and a flood of them must not fill the database.
 */
export class AuditTrail {
  readonly #batch: Batch<AuditEntry>

  constructor(database: Database, log: Log) {
    this.#batch = new Batch((entries) => appendAudit(database, entries), { log, name: "audit" })
  }

  /** Keeps of a request's line what is about reading and logging in. */
  record(line: Line): void {
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

  /** Writes what is left. */
  async close(): Promise<void> {
    await this.#batch.drain()
  }
}
