import { defaultSince } from "../../../core/capability.ts"
import { type Doubt, type ListState, type SyncRow, thresholds } from "./definitions.ts"

const { abandoned, grace, interval, silence, stuckIntervals } = thresholds

/** Columns derived from the other columns of a row and stored, so that SQL only has to compare them with the time. */
type Deadlines = Pick<
  SyncRow,
  | "silent_from"
  | "stuck_from"
  | "trouble_since"
  | "covered_until"
  | "late_from"
  | "gap_from"
  | "gap_to"
  | "counted_until"
  | "in_doubt"
>

/** Returns a row with its deadlines, computed from its other columns. */
export function judge(row: SyncRow): SyncRow {
  return { ...row, ...deadlinesOf(row) }
}

function deadlinesOf(row: SyncRow): Deadlines {
  const lastPoll = row.last_poll ?? 0
  const every = row.poll_interval ?? interval
  const isFailing = isNewError(row)
  const covered = coveredUntil(row)
  const stuck = stuckFrom(row)
  const gap = gapOf(row)
  const isDoubtful = stuck !== null || gap.gap_to !== null || isFailing || isAhead(row) ||
    doubtOf(row, false) !== undefined
  return {
    silent_from: (isFailing ? row.error_at ?? 0 : lastPoll) + silenceAfter(every),
    stuck_from: stuck,
    trouble_since: troubleSince(row),
    covered_until: covered,
    late_from: covered === null ? null : covered + every + grace,
    ...gap,
    counted_until: Math.max(lastPoll, row.error_at ?? 0) + abandoned,
    in_doubt: isDoubtful ? 1 : null,
  }
}

/** Returns true if no page came after the last error. */
export function isNewError({ error_at, last_poll }: SyncRow): boolean {
  return error_at !== null && error_at > (last_poll ?? 0)
}

function silenceAfter(every: number): number {
  const { intervals, least, most } = silence
  return Math.max(intervals * every, Math.min(least, most * every))
}

/**
 * The time from which the partner may lack committed changes, but not before it began to read the list. While a
 * transaction is open, `completed_next` does not move: a partner that keeps polling lacks nothing.
 */
function coveredUntil({ sent_until, completed_next, first_started }: SyncRow): number | null {
  const times = [sent_until, completed_next, first_started].filter((time) => time !== null)
  return times.length === 0 ? null : Math.max(...times)
}

/** Since when a partner is stuck with a list, if it is: its first error or its last completed walk. */
function troubleSince(row: SyncRow): number | null {
  const { first_error, error_at, last_poll } = row
  if (!isNewError(row)) return row.walk_completed ?? row.first_started ?? last_poll
  return first_error !== null && first_error > (last_poll ?? 0) ? first_error : error_at
}

/**
 * The time from which a partner is stuck with a list, if it keeps trying and nothing else happens:
 *
 * - it began three walks in a row, or two of which the first is over ten intervals old, and completed none
 * - or for more than an interval and a minute it got errors and no page
 * - or the last response told it to read everything again
 */
function stuckFrom(row: SyncRow): number | null {
  const { previous_started: previous, third_started: third, error_at, error_code } = row
  const every = row.poll_interval ?? interval
  const completed = row.walk_completed ?? -1
  const since = troubleSince(row)
  const times: number[] = []
  if (third !== null && third > completed) times.push(third)
  if (previous !== null && previous > completed) times.push(previous + stuckIntervals * every + 1)
  if (isNewError(row) && error_at !== null && since !== null) {
    if (error_at > since) times.push(since + every + grace + 1)
    if (error_code === "resync_required" && error_at > Math.max(completed, 0)) times.push(error_at)
  }
  return times.length === 0 ? null : Math.min(...times)
}

/** Returns true if the last walk asked for changes since a time in the future. */
export function isAhead(
  { walk_since, walk_started, walk_completed }: Pick<
    SyncRow,
    "walk_since" | "walk_started" | "walk_completed"
  >,
): boolean {
  return walk_since !== null && walk_started !== null && walk_since > walk_started &&
    (walk_completed ?? 0) <= walk_started
}

/** Returns why it is unknown whether a partner has all of a list; undefined if it is known. */
export function doubtOf(row: SyncRow, isGapFilled: boolean): Doubt | undefined {
  const { kind, last_poll, walk_started, walk_completed, gap_from } = row
  if (kind !== "other" && last_poll !== null) {
    if (walk_started === null) return "part"
    if (walk_completed === null) return "first walk"
  }
  if (!isGapFilled || isSkipping(row)) return undefined
  return gap_from === 0 ? "own since" : "same since"
}

/**
 * The times of the changes that a partner may lack. Either its walks left them out: it may already have had those from
 * before its first walk. Or its last two walks used the same `since`, and one of them was sent newer changes: a client
 * that sends the time of its newest record as `since` gets only the changes from that second on.
 */
function gapOf(row: SyncRow): Pick<SyncRow, "gap_from" | "gap_to"> {
  const { since_from, previous_started, walk_completed, walk_since } = row
  const repeats = since_from !== null && previous_started !== null && walk_completed !== null &&
    walk_since !== null && walk_since > defaultSince && since_from <= previous_started &&
    walk_completed >= since_from
  if (repeats && !isSkipping(row)) return { gap_from: walk_since + 1, gap_to: previous_started }
  return { gap_from: row.skipped_from, gap_to: row.skipped_to }
}

/** Returns true if walks after the first one left out changes. */
function isSkipping({ skipped_from }: SyncRow): boolean {
  return skipped_from !== null && skipped_from > 0
}

/** What decides about a list, besides its row. */
export interface Present {
  readonly now: number
  /** The newest change of the list; null if there was none. */
  readonly newest: number | null
  /** True if something changed in the list's gap. */
  readonly isGapFilled: boolean
}

/** Returns true if a partner is stuck with a list and still trying. */
export function isStuck({ stuck_from, silent_from }: SyncRow, now: number): boolean {
  return stuck_from !== null && stuck_from <= now && now <= (silent_from ?? 0)
}

/**
 * Returns true if a list changed after the time up to which walks cover it, and that time is over an interval and a
 * minute ago.
 */
export function isLate({ late_from, completed_next }: SyncRow, { now, newest }: Present): boolean {
  return late_from !== null && late_from <= now && newest !== null &&
    (completed_next === null || newest >= completed_next)
}

/** Returns true if walks after the first one skipped a change that is older than a minute. */
export function lacksSkipped(row: SyncRow, { now, isGapFilled }: Omit<Present, "newest">): boolean {
  return isGapFilled && isSkipping(row) && (row.skipped_from ?? 0) <= now - grace
}

/**
 * Returns the state of a list. `failed`: every request failed. `unread`: never requested, although its records were.
 */
export function stateOfList(row: SyncRow, present: Present): ListState {
  if (isStuck(row, present.now)) return "stuck"
  if (isLate(row, present) || lacksSkipped(row, present)) return "behind"
  if (row.walk_started !== null && present.now > (row.silent_from ?? 0)) return "silent"
  if (doubtOf(row, present.isGapFilled) !== undefined) return "partial"
  if (row.last_poll === null && row.error_at !== null) return "failed"
  return row.walk_started === null ? "unread" : "in sync"
}
