import type { Insertable } from "kysely"
import type { Database } from "../data/database.ts"
import { deleteInPortions } from "../data/delete-in-portions.ts"
import type { AuditLogTable } from "../data/schema.ts"

/** A request in the audit log. */
export type AuditEntry = Omit<Insertable<AuditLogTable>, "seq" | "at"> & {
  /** Unix seconds. */
  readonly at: number
}

/** A selection of entries. */
interface AuditQuery {
  readonly account?: string
  readonly event?: string
  /** Unix seconds. */
  readonly since?: number
  readonly limit: number
}

/** Appends entries, all or none. Gives up once the signal aborts. */
export async function appendAudit(
  { writer, dialect }: Database,
  entries: readonly AuditEntry[],
  signal: AbortSignal,
): Promise<void> {
  await writer.insertInto("audit_log").values(entries)
    .execute({ signal, inflightQueryAbortStrategy: dialect.onTimeout })
}

/** Returns the latest entries that match, oldest first. */
export async function listAudit(
  { writer }: Database,
  { account, event, since, limit }: AuditQuery,
): Promise<(AuditEntry & { readonly seq: number })[]> {
  const rows = await writer
    .selectFrom("audit_log")
    .selectAll()
    .$if(account !== undefined, (query) => query.where("account", "=", account ?? ""))
    .$if(event !== undefined, (query) => query.where("event_id", "=", event ?? ""))
    .$if(since !== undefined, (query) => query.where("at", ">=", since ?? 0))
    .orderBy("at", "desc")
    .orderBy("seq", "desc")
    .limit(limit)
    .execute()
  return rows.reverse()
}

/**
 * Deletes entries older than a number of days. Returns how many. Stops after the running statement
 * when `signal` aborts.
 */
export async function pruneAudit(
  { background, dialect }: Database,
  days: number,
  signal?: AbortSignal,
): Promise<number> {
  return await deleteInPortions(background, {
    find: (limit) =>
      background
        .selectFrom("audit_log")
        .select("seq")
        .where((eb) => eb("at", "<", eb(dialect.now, "-", days * 86_400)))
        .orderBy("at")
        .limit(limit)
        .execute(),
    remove: (db, { seq }) => db.deleteFrom("audit_log").where("seq", "=", seq).execute(),
  }, signal)
}
