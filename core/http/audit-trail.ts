import { Batch } from "../batch.ts"
import { appendAudit, type AuditEntry } from "../data/audit.ts"
import type { Database } from "../data/database.ts"
import type { Log } from "../log.ts"

/** A request's line in the log, of which the audit log keeps what is about reading and logging in. */
export type Entry = Readonly<Record<string, unknown>>

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

  record(entry: Entry): void {
    const action = actionOf(entry)
    if (!action || entry["status"] === 429) return
    if (action === "list" && entry["account"] === undefined) return
    this.#batch.add({
      action,
      at: Math.floor(Date.now() / 1000),
      account: text(entry["account"]),
      address: text(entry["address"]) ?? "",
      request_id: text(entry["id"]) ?? "",
      plugin: text(entry["family"]),
      route: text(entry["route"]),
      event_id: text(entry["event"]),
      since: number(entry["since"]),
      first: number(entry["offset"]),
      cursor_text: text(entry["cursor"]),
      search_length: number(entry["searchLength"]),
      sent: number(entry["rows"]),
      status: number(entry["status"]) ?? 0,
      code: text(entry["code"]),
      milliseconds: Math.round(number(entry["ms"]) ?? 0),
    })
  }

  /** Writes what is left. */
  async close(): Promise<void> {
    await this.#batch.drain()
  }
}

function actionOf(entry: Entry): AuditEntry["action"] | undefined {
  const action = entry["action"]
  return action === "list" || action === "log-in" ? action : undefined
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null
}

function number(value: unknown): number | null {
  return typeof value === "number" ? value : null
}
