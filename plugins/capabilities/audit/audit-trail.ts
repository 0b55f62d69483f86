import {
  boundedCache,
  type Database,
  type Observer,
  type OpenBatch,
} from "../../../core/capability.ts"
import { appendAudit, type AuditEntry } from "./audit-log.ts"

/**
 * Returns an observer that records who requested what, with what result: every request of an account for a list,
 * and every attempt to log in or out. Written in the background; never delays or fails a request.
 *
 * Callers without a session and requests over a rate limit are only in the log: nothing was read,
 * and a flood of them must not fill the database. A session that has ended has an entry once a minute.
 */
export function auditTrail(
  database: Database,
  { batch, required }: {
    readonly batch: OpenBatch
    /** True to refuse reading and logging in while entries wait for longer than they may. */
    readonly required: boolean
  },
): Observer {
  const entries = batch(
    (entries: readonly AuditEntry[], signal) => appendAudit(database, entries, signal),
    { name: "audit", vital: required ? "required" : true },
  )
  const refused = boundedCache<true>({ most: 10_000, ttl: 60_000 })
  /** Returns true once a minute for a session that has ended. */
  const isNews = (session: string) => {
    if (refused.has(session)) return false
    refused.set(session, true)
    return true
  }
  return ({ line, admission, ended }) => {
    const { action, account } = line
    if (!action || line.status === 429) return
    if (action === "list" && !admission && !(ended && isNews(ended.session))) return
    entries.add({
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
}
