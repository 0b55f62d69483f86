import type { Schema } from "../../../core/capability.ts"
import type { SyncRow } from "./definitions.ts"
import { partnersTables } from "./tables.ts"

/** A list that an account reads: the key of a row of `sync_state`. */
type SyncKey = Pick<SyncRow, "account_id" | "event_id" | "prefix" | "list">

/** The first page of a walk. */
interface WalkStart {
  readonly walk_started: number
  readonly walk_since: number
  readonly walk_next: number
}

/** A walk that was completed: everything that changed from `since` on and before `next` has been sent. */
interface Completion {
  /** When the last page was asked for. */
  readonly at: number
  readonly since: number
  readonly next: number
  /** Everything that was committed by then has been sent, too. */
  readonly reached: number
}

/** What an account did in an hour. */
export type HourCounts = Readonly<Omit<Schema["partner_hour"], "account_id">>

/**
 * What requests change in a row of `sync_state`, and in the account's hours. Changes can be merged in any grouping: the
 * result is the same. Their order matters only for `first_error` and `after`.
 */
export interface SyncChange {
  /** Null where there is nothing new. `records` are those that were sent. Has no walk: these are in `starts` and `completed`. */
  readonly row: SyncRow
  /** False for an error about an event that the account may not read: it may not even exist. */
  readonly isReadable: boolean
  /** What the last walk of the list of this name must have done, or this change completes nothing. */
  readonly after?: { readonly name: string; readonly walk: "begun" | "completed" }
  /** The last walks: the latest first, one per second, three at most. */
  readonly starts: readonly WalkStart[]
  /** The completed walks, the earliest `since` first; those that overlap are one. */
  readonly completed: readonly Completion[]
  /** One for each hour. */
  readonly hours: readonly HourCounts[]
}

/** Columns that belong together. Of two, the later one counts; of the same second, the one with the greater rest. */
export const latest = [
  ["last_poll", "poll_interval"],
  ["acknowledged_at", "acknowledged"],
  ["error_at", "error_request", "error_status", "error_code", "error_parameters"],
] as const

/** The number of walks whose beginnings are remembered. */
const rememberedWalks = 3

const allNull = Object.fromEntries(
  Object.keys(partnersTables.sync_state.columns).map((column) => [column, null]),
)

/** Returns a row of `sync_state` without any request. */
export function blankRow(
  { account_id, event_id, prefix, list, family, kind }: SyncKey & Pick<SyncRow, "family" | "kind">,
): SyncRow {
  const named = { account_id, event_id, prefix, list, family, kind, records: 0 }
  return { ...allNull, ...named } as unknown as SyncRow
}

/** Returns the one change that does what two changes of the same list do. */
export function mergeChanges(one: SyncChange, other: SyncChange): SyncChange {
  const merged: Record<string, unknown> = { records: one.row.records + other.row.records }
  for (const columns of latest) {
    const { row } = isLater(other.row, one.row, columns) ? other : one
    for (const column of columns) merged[column] = row[column]
  }
  return {
    row: {
      ...{ ...one.row, ...merged },
      first_started: least(one.row.first_started, other.row.first_started),
      first_error: firstError(one.row, other.row),
    },
    isReadable: one.isReadable || other.isReadable,
    ...one.after && { after: one.after },
    starts: mergeStarts(one.starts, other.starts),
    completed: mergeCompleted(one.completed, other.completed),
    hours: mergeHours(one.hours, other.hours),
  }
}

/** Returns the first error since the last page. */
function firstError(one: SyncRow, other: SyncRow): number | null {
  const lastPoll = Math.max(one.last_poll ?? 0, other.last_poll ?? 0)
  const since = (error: number | null) => error !== null && error > lastPoll ? error : null
  return least(since(one.first_error), since(other.first_error))
}

function least(one: number | null, other: number | null): number | null {
  return one === null || other === null ? one ?? other : Math.min(one, other)
}

/** Names a list of an account. */
export function nameOf({ account_id, event_id, prefix, list }: SyncKey): string {
  return `${account_id} ${event_id} ${prefix} ${list}`
}

/** Returns the beginning of the hour of a time. */
export function hourOf(seconds: number): number {
  return seconds - seconds % 3600
}

/** Adds up the counts of an hour. */
function addCounts(one: HourCounts, other: HourCounts): HourCounts {
  return {
    hour: one.hour,
    polls: one.polls + other.polls,
    walks: one.walks + other.walks,
    records: one.records + other.records,
    errors: one.errors + other.errors,
    lag: one.lag === null || other.lag === null
      ? one.lag ?? other.lag
      : Math.max(one.lag, other.lag),
  }
}

/** Returns true if one row is later than another by the first of some columns in which they differ. */
function isLater(one: SyncRow, other: SyncRow, columns: (typeof latest)[number]): boolean {
  const column = columns.find((column) => one[column] !== other[column])
  if (column === undefined) return false
  const [a, b] = [one[column], other[column]]
  return b === null || (a !== null && a > b)
}

function mergeStarts(one: readonly WalkStart[], other: readonly WalkStart[]): readonly WalkStart[] {
  const latestFirst = [...one, ...other].sort((a, b) =>
    b.walk_started - a.walk_started || b.walk_since - a.walk_since || b.walk_next - a.walk_next
  )
  return latestFirst
    .filter(({ walk_started }, index) => walk_started !== latestFirst[index - 1]?.walk_started)
    .slice(0, rememberedWalks)
}

function mergeCompleted(
  one: SyncChange["completed"],
  other: SyncChange["completed"],
): SyncChange["completed"] {
  const earliestFirst = [...one, ...other].sort((a, b) => a.since - b.since)
  return earliestFirst.reduce<Completion[]>((merged, next) => {
    const last = merged.at(-1)
    if (!last || last.reached < next.since) return [...merged, next]
    const both = {
      since: last.since,
      at: Math.max(last.at, next.at),
      next: Math.max(last.next, next.next),
      reached: Math.max(last.reached, next.reached),
    }
    return [...merged.slice(0, -1), both]
  }, [])
}

/** Returns the counts of both, one for each hour. */
export function mergeHours(
  one: SyncChange["hours"],
  other: SyncChange["hours"],
): SyncChange["hours"] {
  return other.reduce((merged, counts) => {
    const place = merged.findIndex(({ hour }) => hour === counts.hour)
    if (place < 0) return [...merged, counts]
    return merged.map((each, index) => index === place ? addCounts(each, counts) : each)
  }, one)
}
