import { judge } from "./deadlines.ts"
import type { SyncRow } from "./definitions.ts"
import { partnersTables } from "./tables.ts"

/** A list that an account reads: the key of a row of `sync_state`. */
export type SyncKey = Pick<SyncRow, "account_id" | "event_id" | "prefix" | "list">

/** A key with the columns that polls do not change, but the family's plugin may. */
export type SyncList = SyncKey & Pick<SyncRow, "family" | "kind">

/** The `since` and `Next-Since` of a walk's first page. */
export interface WalkStart {
  readonly since: number
  readonly next: number
}

/** A page or a 304. */
export interface PagePoll {
  readonly type: "page"
  readonly at: number
  /** The `Poll-Interval` that was recommended. */
  readonly interval: number
  readonly records: number
  /** The walk that this page begins, if it is a first page. */
  readonly walk?: WalkStart
  /** The `since`, if it tells that everything that changed before has been applied. */
  readonly applied?: number
}

/** An error. */
export interface ErrorPoll {
  readonly type: "error"
  readonly at: number
  readonly status: number
  readonly code: string
  readonly request: string
  readonly parameters: string | null
}

/** The last page of a walk was sent, and with it everything that changed from `since` (inclusive) to `next`. */
export interface EndPoll {
  readonly type: "end"
  readonly at: number
  readonly since: number
  readonly next: number
  /** Everything that was committed by this time has been sent, too. */
  readonly reached: number
  /** The poll ends a walk only if the last one began within the last day, or was completed. */
  readonly after?: "begun" | "completed"
  /** The walk that begins and ends here. */
  readonly walk?: WalkStart
  /** The interval of a list that another list's walk completes, and that may never be polled itself. */
  readonly interval?: number
}

/** What a request tells about a list. Times are Unix seconds on the database's clock. */
export type Poll = PagePoll | ErrorPoll | EndPoll

/** The most seconds from the first page of a walk to the last. */
const longestWalk = 86_400

const allNull = Object.fromEntries(
  Object.keys(partnersTables.sync_state.columns).map((column) => [column, null]),
)

/** Returns the row of `sync_state` of a list before its first request. */
export function blankRow({ account_id, event_id, prefix, list, family, kind }: SyncList): SyncRow {
  const named = { account_id, event_id, prefix, list, family, kind, records: 0 }
  return { ...allNull, ...named } as unknown as SyncRow
}

/** Returns a name for an account's list. */
export function nameOf({ account_id, event_id, prefix, list }: SyncKey): string {
  return `${account_id} ${event_id} ${prefix} ${list}`
}

/**
 * Returns the row of a list after a poll. Polls of several processes may arrive out of order. `of` is the row of the
 * list whose walk ended, if that is another list.
 */
export function advance(row: SyncRow, poll: Poll, of: SyncRow = row): SyncRow {
  return judge({ ...row, ...changesOf(row, poll, of) })
}

function changesOf(row: SyncRow, poll: Poll, of: SyncRow): Partial<SyncRow> {
  switch (poll.type) {
    case "page":
      return afterPage(row, poll)
    case "error":
      return afterError(row, poll)
    case "end":
      return {
        ...poll.walk && afterStart(row, poll.at, poll.walk),
        ...isEnd(poll, of) && afterEnd(row, poll, of),
      }
  }
}

function afterPage(row: SyncRow, { at, interval, records, walk, applied }: PagePoll) {
  return {
    records: row.records + records,
    ...isLater([at, interval], [row.last_poll, row.poll_interval]) &&
      { last_poll: at, poll_interval: interval },
    // Errors from before the last page no longer matter.
    first_error: row.first_error !== null && row.first_error <= at ? null : row.first_error,
    ...applied !== undefined && isLater([at, applied], [row.acknowledged_at, row.acknowledged]) &&
      { acknowledged: applied, acknowledged_at: at },
    ...walk && afterStart(row, at, walk),
  }
}

/**
 * Returns true if a poll is later than the last known one. Within a second, the remaining values decide, so that the
 * result does not depend on the order of arrival.
 */
function isLater(
  poll: readonly (number | string)[],
  known: readonly (number | string | null)[],
): boolean {
  const place = poll.findIndex((value, index) => value !== known[index])
  const [value, other = null] = [poll[place], known[place]]
  return value !== undefined && (other === null || value > other)
}

/** Remembers the starts of the last three walks, at most one per second, and of the first walk. */
function afterStart(row: SyncRow, at: number, { since, next }: WalkStart): Partial<SyncRow> {
  const known = [row.walk_started, row.previous_started, row.third_started]
  const times = [...new Set([at, ...known.filter((time) => time !== null)])].sort((a, b) => b - a)
  const started = {
    walk_started: times[0] ?? at,
    previous_started: times[1] ?? null,
    third_started: times[2] ?? null,
    first_started: Math.min(row.first_started ?? at, at),
  }
  const isLast = isLater([at, since, next], [row.walk_started, row.walk_since, row.walk_next])
  if (!isLast) return started
  const walk = { ...started, walk_since: since, walk_next: next }
  if (at === row.walk_started) return walk
  // The partner repeats its `since`, though it was given a later `Next-Since`.
  const repeats = since === row.walk_since && (row.walk_next ?? 0) > since
  return { ...walk, since_from: repeats ? row.since_from ?? row.walk_started : at }
}

function afterError(row: SyncRow, { at, status, code, request, parameters }: ErrorPoll) {
  const lastPoll = row.last_poll ?? 0
  const before = row.first_error !== null && row.first_error > lastPoll ? row.first_error : at
  return {
    ...at > lastPoll && { first_error: Math.min(before, at) },
    ...isLater([at, request], [row.error_at, row.error_request]) && {
      error_at: at,
      error_status: status,
      error_code: code,
      error_request: request,
      error_parameters: parameters,
    },
  }
}

/** Returns true if a poll ends a walk of the list `of`. */
function isEnd({ at, after }: EndPoll, of: SyncRow): boolean {
  const begun = of.walk_started ?? 0
  if (after === "begun") return at - begun <= longestWalk
  return after === undefined || (of.walk_completed ?? 0) >= begun
}

function afterEnd(row: SyncRow, poll: EndPoll, of: SyncRow): Partial<SyncRow> {
  const { at, next, reached, interval, after } = poll
  // A page's tag does not tell whether earlier changes were left out: continue from where the list had got to.
  const from = after === "completed" ? row.completed_next ?? of.completed_next ?? 0 : 0
  const since = Math.min(Math.max(poll.since, from), next)
  return {
    walk_completed: Math.max(row.walk_completed ?? at, at),
    sent_until: Math.max(row.sent_until ?? reached, reached),
    completed_next: Math.max(row.completed_next ?? next, next),
    ...skippedBy(row, since, next),
    ...interval !== undefined && {
      first_started: Math.min(row.first_started ?? at, at),
      ...row.last_poll === null && { poll_interval: interval },
    },
  }
}

/**
 * Returns the skipped span after a walk: walks cover `[0, completed_next)` without `[skipped_from, skipped_to)`. A walk
 * that begins after the end of what was sent skips the span between; a walk over a skipped span fills it, from either
 * side.
 */
function skippedBy(
  row: SyncRow,
  since: number,
  next: number,
): Pick<SyncRow, "skipped_from" | "skipped_to"> {
  const { skipped_from: from, skipped_to: to } = row
  const sent = Math.max(row.completed_next ?? 0, row.sent_until ?? row.walk_completed ?? 0)
  if (since > sent) return { skipped_from: from ?? sent, skipped_to: since }
  if (from === null || to === null || (since <= from && next >= to)) {
    return { skipped_from: null, skipped_to: null }
  }
  if (since <= from && next > from) return { skipped_from: next, skipped_to: to }
  if (since < to && next >= to) return { skipped_from: from, skipped_to: since }
  return { skipped_from: from, skipped_to: to }
}
