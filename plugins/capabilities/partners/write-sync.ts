import { type RawBuilder, sql, type Transaction } from "kysely"
import type { Database, Dialect, Schema } from "../../../core/capability.ts"
import type { SyncRow } from "./definitions.ts"
import { blankRow, latest, mergeHours, nameOf, type SyncChange } from "./sync-change.ts"

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
    const located = await judge(db, await locate(db, changes))
    // Every instance takes the locks in the same order.
    const rows = located.flatMap(rowsOf).sort((a, b) => compare(nameOf(a), nameOf(b)))
    const insert = db.insertInto("sync_state").values(rows)
    await dialect
      .orUpdate(insert, ["account_id", "event_id", "prefix", "list"], syncUpdates(dialect))
      .execute({ signal })
    const hours = hoursOf(located)
    if (hours.length === 0) return
    await dialect
      .orUpdate(
        db.insertInto("partner_hour").values(hours),
        ["account_id", "hour"],
        hourUpdates(dialect),
      )
      .execute({ signal })
  })
}

/** Seconds from the first page of a walk to its last one. */
const longestWalk = 86_400

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
    .where("account_id", "in", [...new Set(doubtful.map(({ row }) => row.account_id))])
    .where("event_id", "in", [...new Set(doubtful.map(({ row }) => row.event_id))])
    .execute()
  const readable = changes.filter(({ isReadable }) => isReadable).map(({ row }) => row)
  const known = new Set([...rows, ...readable].map(nameOf))
  return changes.map((change) =>
    change.isReadable || known.has(nameOf(change.row))
      ? change
      : { ...change, row: { ...change.row, event_id: "" } }
  )
}

/**
 * Returns the changes without the walks that the last pages of other ones do not allow, see `SyncChange.after`. Those
 * after a completed walk go on where the list had got to: the tag of a page says nothing of what was left out before.
 */
async function judge(
  db: Transaction<Schema>,
  changes: readonly SyncChange[],
): Promise<readonly SyncChange[]> {
  const doubtful = changes.filter(({ after }) => after)
  if (doubtful.length === 0) return changes
  const rows = await db
    .selectFrom("sync_state")
    .select(["account_id", "event_id", "prefix", "list"])
    .select(["walk_started", "walk_completed", "completed_next"])
    .where("account_id", "in", [...new Set(doubtful.map(({ row }) => row.account_id))])
    .where("event_id", "in", [...new Set(doubtful.map(({ row }) => row.event_id))])
    .execute()
  const known = new Map(rows.map((row) => [nameOf(row), row]))
  const own = Map.groupBy(
    changes.filter(({ after }) => after?.walk !== "completed"),
    ({ row }) => nameOf(row),
  )
  return changes.map((change) => {
    const { after } = change
    if (!after) return change
    const [row, fresh = []] = [known.get(after.name), own.get(after.name)]
    const starts = fresh.flatMap(({ starts }) => starts.map(({ walk_started }) => walk_started))
    const ends = fresh.flatMap(({ completed }) => completed.map(({ at }) => at))
    const begun = Math.max(row?.walk_started ?? 0, ...starts)
    const isWhole = Math.max(row?.walk_completed ?? 0, ...ends) >= begun
    const isBegun = change.completed.every(({ at }) => at - begun <= longestWalk)
    if (after.walk === "begun") return isBegun ? change : { ...change, completed: [], hours: [] }
    if (!isWhole) return { ...change, completed: [], hours: [] }
    const reached = (known.get(nameOf(change.row)) ?? row)?.completed_next ?? 0
    const completed = change.completed.map((walk) => ({
      ...walk,
      since: Math.min(Math.max(walk.since, reached), walk.next),
    }))
    return { ...change, completed }
  })
}

/** Returns a row per walk that began or was completed: they are inserted one after the other, though in one statement. */
function rowsOf({ row, starts, completed }: SyncChange): SyncRow[] {
  const [first, ...others] = Array.from(
    { length: Math.max(1, starts.length, completed.length) },
    (_, index) => ({ ...startOf(starts[index]), ...completionOf(completed[index]) }),
  )
  return [{ ...row, ...first }, ...others.map((walk) => ({ ...blankRow(row), ...walk }))]
}

function startOf(start: SyncChange["starts"][number] | undefined): Partial<SyncRow> {
  return start ? { ...start, since_from: start.walk_started } : {}
}

/** Returns what a completed walk says of a list that nothing was known of. */
function completionOf(walk: SyncChange["completed"][number] | undefined): Partial<SyncRow> {
  if (!walk) return {}
  const { at, since, next, reached } = walk
  const completed = {
    walk_completed: at,
    completed_since: since,
    completed_next: next,
    sent_until: reached,
  }
  return since > 0 ? { ...completed, skipped_from: 0, skipped_to: since } : completed
}

/**
 * Returns what a completed walk adds to what has been covered: `[0, completed_next)` without `[skipped_from, skipped_to)`.
 * A walk that begins after what has been sent leaves out what is between; one over that fills it up, from either side.
 * The order matters: MySQL has set the columns before it comes to those that follow.
 */
function coverage({ incoming }: Dialect) {
  const old = (column: string) => sql.ref<number>(`sync_state.${column}`)
  const [from, to, end] = ["skipped_from", "skipped_to", "completed_next"].map(old)
  // A version of before writes no `sent_until`, and may have written the row since.
  const known = sql`coalesce(${old("sent_until")}, ${old("walk_completed")}, 0)`
  const sent = sql`case when ${end} > ${known} then ${end} else ${known} end`
  const [since, next] = [incoming("completed_since"), incoming("completed_next")]
  const leavesOut = sql`${since} > (${sent})`
  const fillsAll = sql`${since} <= ${from} and ${next} >= ${to}`
  return {
    skipped_to: sql<never>`case when ${next} is null then ${to}
      when ${leavesOut} then ${since}
      when ${fillsAll} then null
      when ${from} < ${since} and ${since} < ${to} and ${next} >= ${to} then ${since}
      else ${to} end`,
    skipped_from: sql<never>`case when ${next} is null then ${from}
      when ${leavesOut} then coalesce(${from}, (${sent}))
      when ${to} is null or (${fillsAll}) then null
      when ${since} <= ${from} and ${next} > ${from} then ${next}
      else ${from} end`,
    completed_since: sql<never>`coalesce(${since}, ${old("completed_since")})`,
    sent_until: sql<never>`case when ${old("sent_until")} >= ${incoming("sent_until")}
      then ${old("sent_until")} else coalesce(${incoming("sent_until")}, ${old("sent_until")}) end`,
    completed_next: sql<never>`case when ${end} is null or ${next} > ${end} then ${next}
      else ${end} end`,
  }
}

/** Returns the changes of a row, as `mergeChanges` defines them. Columns that others are compared by come last. */
function syncUpdates(dialect: Dialect) {
  const { incoming } = dialect
  const old = (column: string) => sql.ref<number>(`sync_state.${column}`)
  const isLater = ([at = "", ...ranks]: readonly string[]): RawBuilder<boolean> => {
    const equal = ranks.length === 0
      ? sql`false`
      : sql`(${incoming(at)} = ${old(at)} and ${isLater(ranks)})`
    // What is null is not later than anything.
    return sql`(${old(at)} is null or ${incoming(at)} > ${old(at)} or ${equal})`
  }
  const ifLater = (condition: RawBuilder<boolean>, column: string) =>
    sql<never>`case when ${condition} then ${incoming(column)} else ${old(column)} end`
  /** Takes over what belongs together if it is later. */
  const later = (columns: readonly string[]) =>
    columns.toReversed().map((column) => [column, ifLater(isLater(columns), column)])
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
    ...coverage(dialect),
    ...Object.fromEntries([
      ...latest.flatMap(later),
      ...later(["walk_completed"]),
    ]),
    since_from: sql<never>`case when ${start} is null or ${start} <= ${first}
      then ${old("since_from")}
      when ${incoming("walk_since")} = ${old("walk_since")}
        and ${old("walk_next")} > ${incoming("walk_since")}
      then coalesce(${old("since_from")}, ${first}) else ${start} end`,
    first_started: least("first_started"),
    // Errors before the last page are over.
    first_error: sql<never>`case when ${incoming("first_error")} is null then ${old("first_error")}
      when ${old("first_error")} > coalesce(${old("last_poll")}, 0)
        and ${old("first_error")} > coalesce(${incoming("last_poll")}, 0)
      then ${old("first_error")} else ${incoming("first_error")} end`,
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
    ...Object.fromEntries(later(["walk_started", "walk_since", "walk_next"])),
    records: sql<never>`${old("records")} + ${incoming("records")}`,
  }
}

/** Returns the hours of some changes, one row each. */
function hoursOf(changes: readonly SyncChange[]) {
  const byAccount = Map.groupBy(changes, ({ row }) => row.account_id)
  const rows = [...byAccount].flatMap(([account_id, own]) => {
    const hours = own.map(({ hours }) => hours).reduce(mergeHours)
    return hours.map((counts) => ({ account_id, ...counts }))
  })
  return rows.sort((a, b) => compare(a.account_id, b.account_id) || a.hour - b.hour)
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
