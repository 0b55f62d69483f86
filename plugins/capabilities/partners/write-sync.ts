import { type RawBuilder, sql, type Transaction } from "kysely"
import type { Database, Dialect, Schema } from "../../../core/capability.ts"
import { addCounts, type HourCounts, nameOf, type SyncChange } from "./sync-change.ts"

/**
 * Adds changes to `sync_state` and `partner_hour`, all or none, in any order and on any instance. Gives up once the
 * signal aborts.
 *
 * Errors about events that the account may not read are added to the list's row if there is one, else to that of
 * no event: nobody can fill the table with invented events.
 */
export async function writeSync(
  { writer, dialect }: Database,
  changes: readonly SyncChange[],
  signal: AbortSignal,
): Promise<void> {
  if (changes.length === 0) return
  await writer.transaction().execute(async (db) => {
    const located = await locate(db, changes)
    // Every instance takes the locks in the same order.
    const rows = located.flatMap(rowsOf).sort((a, b) => compare(keyOf(a), keyOf(b)))
    const insert = db.insertInto("sync_state").values(rows)
    await dialect
      .orUpdate(insert, ["account_id", "event_id", "prefix", "list"], syncUpdates(dialect))
      .execute({ signal })
    const hours = hoursOf(changes)
    await dialect
      .orUpdate(
        db.insertInto("partner_hour").values(hours),
        ["account_id", "hour"],
        hourUpdates(dialect),
      )
      .execute({ signal })
  })
}

/** Returns the changes with the event whose row they belong to. */
async function locate(
  db: Transaction<Schema>,
  changes: readonly SyncChange[],
): Promise<readonly SyncChange[]> {
  const doubtful = changes.filter(({ isReadable }) => !isReadable)
  if (doubtful.length === 0) return changes
  const rows = await db
    .selectFrom("sync_state")
    .select(["account_id", "event_id", "prefix", "list"])
    .where("account_id", "in", [...new Set(doubtful.map(({ accountId }) => accountId))])
    .where("event_id", "in", [...new Set(doubtful.map(({ eventId }) => eventId))])
    .execute()
  const own = changes.filter(({ isReadable }) => isReadable).map(nameOf)
  const known = new Set([...rows.map(keyOf), ...own])
  return changes.map((change) =>
    change.isReadable || known.has(nameOf(change)) ? change : { ...change, eventId: "" }
  )
}

type SyncRow = Readonly<Omit<Schema["sync_state"], "records"> & { readonly records: number }>

function keyOf(
  { account_id, event_id, prefix, list }: Pick<
    SyncRow,
    "account_id" | "event_id" | "prefix" | "list"
  >,
): string {
  return nameOf({ accountId: account_id, eventId: event_id, prefix, list })
}

/** Returns a row of `sync_state` without any request. */
export function blankRow(
  key: Pick<SyncRow, "account_id" | "event_id" | "prefix" | "list" | "family" | "kind">,
): SyncRow {
  return {
    ...key,
    last_poll: null,
    poll_interval: null,
    walk_started: null,
    walk_since: null,
    walk_next: null,
    previous_started: null,
    third_started: null,
    first_started: null,
    walk_completed: null,
    completed_next: null,
    acknowledged: null,
    acknowledged_at: null,
    records: 0,
    first_error: null,
    error_at: null,
    error_status: null,
    error_code: null,
    error_request: null,
  }
}

/** Returns one row per beginning of a walk: they are inserted one after the other, though in one statement. */
function rowsOf(change: SyncChange): SyncRow[] {
  const { poll, completed, acknowledged, error } = change
  const blank = blankRow({
    account_id: change.accountId,
    event_id: change.eventId,
    prefix: change.prefix,
    list: change.list,
    family: change.family,
    kind: change.kind,
  })
  const [first, ...others] = change.starts
  const startOf = (start: SyncChange["starts"][number] | undefined) => ({
    walk_started: start?.at ?? null,
    walk_since: start?.since ?? null,
    walk_next: start?.nextSince ?? null,
  })
  const main: SyncRow = {
    ...blank,
    ...startOf(first),
    first_started: change.firstStart ?? null,
    last_poll: poll?.at ?? null,
    poll_interval: poll?.interval ?? null,
    walk_completed: completed?.at ?? null,
    completed_next: completed?.nextSince ?? null,
    acknowledged: acknowledged?.since ?? null,
    acknowledged_at: acknowledged?.at ?? null,
    records: change.records,
    first_error: change.firstError ?? null,
    error_at: error?.at ?? null,
    error_status: error?.status ?? null,
    error_code: error?.code ?? null,
    error_request: error?.request ?? null,
  }
  return [main, ...others.map((start) => ({ ...blank, ...startOf(start) }))]
}

/** Returns the changes of a row, as `mergeChanges` defines them. Columns that others are compared by come last. */
function syncUpdates({ incoming }: Dialect) {
  const old = (column: string) => sql.ref<number>(`sync_state.${column}`)
  const isLater = (at: string, ...ranks: readonly string[]): RawBuilder<boolean> => {
    const [rank, ...others] = ranks
    const equal = rank === undefined
      ? sql`false`
      : sql`(${incoming(at)} = ${old(at)} and ${isLater(rank, ...others)})`
    // What is null is not later than anything.
    return sql`(${old(at)} is null or ${incoming(at)} > ${old(at)} or ${equal})`
  }
  const ifLater = (condition: RawBuilder<boolean>, column: string) =>
    sql<never>`case when ${condition} then ${incoming(column)} else ${old(column)} end`
  const ofPoll = isLater("last_poll", "poll_interval")
  const ofWalk = isLater("walk_started", "walk_since", "walk_next")
  const ofCompletion = isLater("walk_completed", "completed_next")
  const ofAcknowledgement = isLater("acknowledged_at", "acknowledged")
  const ofError = isLater("error_at", "error_request")
  const start = incoming("walk_started")
  const [first, second, third] = ["walk_started", "previous_started", "third_started"].map(old)
  const least = (column: string) =>
    sql<never>`case when ${old(column)} is null or ${incoming(column)} < ${old(column)}
      then ${incoming(column)} else ${old(column)} end`
  const greatest = (one: RawBuilder<number> | undefined, other: RawBuilder<number>) =>
    sql`case when ${one} > ${other} then ${one} else ${other} end`
  return {
    family: incoming("family"),
    kind: incoming("kind"),
    poll_interval: ifLater(ofPoll, "poll_interval"),
    last_poll: ifLater(ofPoll, "last_poll"),
    third_started: sql<never>`case
      when ${start} is null or ${start} = ${first} or ${start} = ${second} then ${third}
      when ${first} is null then null
      when ${second} is null and ${start} < ${first} then null
      when ${start} > coalesce(${second}, -1) then ${second}
      else ${greatest(third, start)} end`,
    previous_started: sql<never>`case
      when ${start} is null or ${start} = ${first} then ${second}
      when ${first} is null or ${start} > ${first} then ${first}
      else ${greatest(second, start)} end`,
    walk_next: ifLater(ofWalk, "walk_next"),
    walk_since: ifLater(ofWalk, "walk_since"),
    walk_started: ifLater(ofWalk, "walk_started"),
    completed_next: ifLater(ofCompletion, "completed_next"),
    walk_completed: ifLater(ofCompletion, "walk_completed"),
    acknowledged: ifLater(ofAcknowledgement, "acknowledged"),
    acknowledged_at: ifLater(ofAcknowledgement, "acknowledged_at"),
    records: sql<never>`${old("records")} + ${incoming("records")}`,
    first_started: least("first_started"),
    first_error: least("first_error"),
    error_status: ifLater(ofError, "error_status"),
    error_code: ifLater(ofError, "error_code"),
    error_request: ifLater(ofError, "error_request"),
    error_at: ifLater(ofError, "error_at"),
  }
}

/** Returns the hours of some changes, one row each. */
function hoursOf(changes: readonly SyncChange[]) {
  const byName = new Map<string, { account_id: string } & HourCounts>()
  for (const { accountId: account_id, hours } of changes) {
    for (const counts of hours) {
      const name = `${account_id} ${counts.hour}`
      const before = byName.get(name)
      byName.set(name, { account_id, ...(before ? addCounts(before, counts) : counts) })
    }
  }
  return [...byName].sort(([a], [b]) => compare(a, b)).map(([, row]) => row)
}

function hourUpdates({ incoming }: Dialect) {
  const old = (column: string) => sql.ref<number>(`partner_hour.${column}`)
  const sum = (column: string) => sql<never>`${old(column)} + ${incoming(column)}`
  return {
    polls: sum("polls"),
    walks: sum("walks"),
    records: sum("records"),
    errors: sum("errors"),
    lag: sql<never>`case when ${old("lag")} is null or ${incoming("lag")} > ${old("lag")}
      then ${incoming("lag")} else ${old("lag")} end`,
  }
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
