import {
  boundedCache,
  type CapabilityHost,
  type Database,
  type Observer,
} from "../../../core/capability.ts"
import { appendAudit, type AuditEntry } from "./audit-log.ts"

/**
 * Returns an observer that records who requested what, with what result: every request of an account for a list,
 * and every attempt to log in or out. Written in the background; never delays or fails a request.
 *
 * Callers without a session and requests over a rate limit are only in the log: nothing was read, and a flood of them must
 * not fill the database. A session that has ended gets an entry once a minute.
 */
export function auditTrail(
  database: Database,
  { batch, required }: {
    readonly batch: CapabilityHost["batch"]
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
  return (exchange) => {
    const { asked, decided, sent } = exchange
    const { action, match, input } = asked
    if (!action || sent.status === 429) return
    const ended = exchange.ended
    if (action === "list" && !decided.admission && !(ended && isNews(ended.session))) return
    const query = input?.query?.logged
    entries.add({
      action,
      at: Math.floor(Date.now() / 1000),
      account: exchange.account ?? null,
      address: asked.address,
      request_id: asked.id,
      plugin: match?.route.plugin ?? null,
      route: match?.route.pattern.text ?? null,
      event_id: input?.eventId?.value ?? null,
      since: query?.since ?? null,
      first: query?.offset ?? null,
      cursor_text: sent.page?.cursor ?? null,
      search_length: query?.searchLength ?? null,
      sent: sent.page?.rows ?? null,
      status: sent.status,
      code: sent.problem?.code ?? null,
      detail: decided.admission?.session.scope?.text ?? null,
      milliseconds: Math.round(asked.watch.elapsed),
    })
  }
}
