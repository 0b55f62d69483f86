import type { Insertable } from "kysely"
import type { Database } from "../data/database.ts"
import { deleteInPortions } from "../data/delete-in-portions.ts"
import type { AuditLogTable } from "../data/schema.ts"
import type { AuditFilter } from "../routes/operations.ts"

export { recordChange } from "../access/changes.ts"

/** A request or a change in the audit log. */
export type AuditEntry = Omit<Insertable<AuditLogTable>, "seq" | "at"> & {
  /** Unix seconds. */
  readonly at: number
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
  query: AuditFilter,
): Promise<(AuditEntry & { readonly seq: number })[]> {
  const { since, until, status, before, limit } = query
  const equal = {
    account: query.account,
    event_id: query.event,
    request_id: query.request,
    address: query.address,
    action: query.action,
    actor: query.actor,
  }
  const rows = await writer
    .selectFrom("audit_log")
    .selectAll()
    .where((eb) =>
      eb.and([
        ...Object.entries(equal).flatMap(([column, value]) =>
          value === undefined ? [] : eb(column as keyof typeof equal, "=", comparable(value))
        ),
        ...since === undefined ? [] : [eb("at", ">=", since)],
        ...until === undefined ? [] : [eb("at", "<", until)],
        ...status === undefined ? [] : [eb.between("status", ...range(status))],
        ...before === undefined ? [] : [
          eb.or([
            eb("at", "<", before.at),
            eb.and([eb("at", "=", before.at), eb("seq", "<", before.seq)]),
          ]),
        ],
      ])
    )
    .orderBy("at", "desc")
    .orderBy("seq", "desc")
    .limit(limit)
    .execute()
  return rows.reverse()
}

/** MySQL rejects a comparison with non-ASCII text here: no entry has any. */
function comparable(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : "\u007f"
}

function range(status: number): [number, number] {
  return status < 10 ? [status * 100, status * 100 + 99] : [status, status]
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
