import { type Insertable, type Selectable, sql } from "kysely"
import type { AuditChange } from "../../../core/accounts.ts"
import type { Database } from "../../../core/capability.ts"
import { deleteOld, type Schema } from "../../../core/tables.ts"

/** A request or a change in the audit log. */
export type AuditEntry = Omit<Insertable<Schema["audit_log"]>, "seq" | "at"> & {
  /** Unix seconds. */
  readonly at: number
}

/** A row of the audit log. */
export type AuditRow = Selectable<Schema["audit_log"]>

/** A selection of rows of the audit log. A row must match all of it. */
export interface AuditFilter {
  /** Its name. Rows under its former names match, too. */
  readonly account?: string
  readonly event?: string
  /** The id of a request. */
  readonly request?: string
  /** A status such as 404, or a first digit: 4 for 400 to 499. */
  readonly status?: number
  readonly address?: string
  readonly action?: string
  /** Who made a change. */
  readonly actor?: string
  /** Unix seconds; `until` is excluded. */
  readonly since?: number
  readonly until?: number
  /** Only rows before this one. The first row of a list continues it backwards. */
  readonly before?: { readonly at: number; readonly seq: number }
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
export async function listAudit({ writer }: Database, query: AuditFilter): Promise<AuditRow[]> {
  const { since, until, status, before, limit, account } = query
  const names = account === undefined ? [] : [account, ...await readFormerNames(writer, account)]
  const equal = {
    account: names.length === 1 ? account : undefined,
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
        ...names.length > 1 ? [eb("account", "in", names)] : [],
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

/** Returns the names that an account had when entries were added. */
async function readFormerNames(db: Database["writer"], account: string): Promise<string[]> {
  const rows = await db.selectFrom("audit_name").select("former")
    .where("account", "=", comparable(account)).execute()
  return rows.map(({ former }) => former)
}

/** Makes entries findable by the new name of an account. They stay as they are. */
async function follow(
  { writer }: Pick<Database, "writer">,
  { former, account }: { readonly former: string; readonly account: string },
): Promise<void> {
  await forgetFormer({ writer }, account)
  await writer.updateTable("audit_name").set({ account }).where("account", "=", former).execute()
  await writer.insertInto("audit_name").values({ former, account }).execute()
}

/** Makes entries under a former name of an account no longer findable by its new name. */
async function forgetFormer(
  { writer }: Pick<Database, "writer">,
  former: string,
): Promise<void> {
  await writer.deleteFrom("audit_name").where("former", "=", former).execute()
}

/** MySQL rejects a comparison with text that is not ASCII. No entry has such text. */
function comparable(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : "\u007f"
}

function range(status: number): [number, number] {
  return status < 10 ? [status * 100, status * 100 + 99] : [status, status]
}

/**
 * Deletes entries older than a number of days. Returns their number. Stops after the running statement when `signal`
 * aborts.
 */
export async function pruneAudit(
  { background, dialect }: Database,
  days: number,
  signal?: AbortSignal,
): Promise<number> {
  const isOld = sql`at < ${dialect.now} - ${days * 86_400}`
  return await deleteOld(background, { table: "audit_log", key: ["seq"], isOld }, signal)
}

/** Adds a change to the audit log. Pass a transaction as `writer` to record it together with the change. */
export async function recordChange(
  { writer, dialect }: Pick<Database, "writer" | "dialect">,
  change: AuditChange,
): Promise<void> {
  const { actor, action, account, detail, at = dialect.now, address, request, code } = change
  const { formerly } = change
  if (formerly !== undefined && account) await follow({ writer }, { former: formerly, account })
  // A former name of another account now belongs to the new account.
  if (action === "account-add" && account) await forgetFormer({ writer }, account)
  await writer.insertInto("audit_log").values({
    at,
    action,
    account,
    address: plain(address),
    actor: plain(actor),
    detail: detail.slice(0, longestDetail),
    request_id: request ?? "",
    code: code ?? null,
    // Only requests have these.
    status: 0,
    milliseconds: 0,
  }).execute()
}

const longestDetail = 1000

/** These columns hold ASCII, and names of users and hosts may not be. */
function plain(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "?").slice(0, 191)
}
