import {
  type ListState,
  type SyncRow,
  thresholds,
} from "../../plugins/capabilities/partners/definitions.ts"

// What `list-conditions.ts` asks of the database, said once more for one row.

/** Returns the time of the last request for a list; 0 if there was none. */
export function lastRequest(
  { last_poll, error_at }: Pick<SyncRow, "last_poll" | "error_at">,
): number {
  return Math.max(last_poll ?? 0, error_at ?? 0)
}

/** Returns the time from which a list is silent: if there is no request until then. */
export function silentFrom(row: Pick<SyncRow, "last_poll" | "error_at" | "poll_interval">): number {
  const { intervals, least, most } = thresholds.silence
  const interval = intervalOf(row)
  return lastRequest(row) + Math.max(intervals * interval, Math.min(least, most * interval))
}

/**
 * Returns true if a partner cannot get on with a list:
 *
 * - three walks in a row were begun, or two, the first of them over ten intervals ago, and none was completed
 * - or there were errors and no page since over an interval and a minute
 * - or the last answer said that it must read everything again
 */
export function isStuck(row: SyncRow, now: number): boolean {
  const { last_poll, first_error, error_at, walk_completed, previous_started, third_started } = row
  const patience = thresholds.stuckIntervals * intervalOf(row)
  const completed = walk_completed ?? -1
  if (third_started !== null && third_started > completed) return true
  if (previous_started !== null && previous_started > completed) {
    if (now - previous_started > patience) return true
  }
  if (error_at === null || error_at <= (last_poll ?? 0)) return false
  if (row.error_code === "resync_required" && error_at > (walk_completed ?? 0)) return true
  const trouble = (first_error ?? 0) > (last_poll ?? 0) ? first_error ?? 0 : error_at
  return trouble < error_at && now - trouble > intervalOf(row) + thresholds.grace
}

/**
 * Returns true if a list has changed since the time that its completed walks cover, and that was more than an interval and
 * a minute ago.
 */
export function isBehind(row: SyncRow, newest: number | null, now: number): boolean {
  const sent = [row.sent_until, row.completed_next].filter((time) => time !== null)
  const covered = sent.length > 0 ? Math.max(...sent) : row.first_started
  if (covered === null || newest === null) return false
  if (covered > now - intervalOf(row) - thresholds.grace) return false
  return row.completed_next === null || newest >= row.completed_next
}

/** Returns the state of one list. `newest` is the time of its newest change; null if it has none. */
export function stateOfList(row: SyncRow, newest: number | null, now: number): ListState {
  const isSilent = now > silentFrom(row)
  if (!isSilent && isStuck(row, now)) return "stuck"
  if (isBehind(row, newest, now)) return "behind"
  if (isSilent && row.walk_started !== null) return "silent"
  const isWhole = row.walk_started !== null && row.walk_completed !== null
  if (row.last_poll !== null && !isWhole && row.kind !== "other") return "partial"
  if (row.walk_started === null) {
    return row.last_poll === null && row.error_at !== null ? "failed" : "unread"
  }
  if (row.last_poll === null && row.error_at !== null) return "failed"
  return "in sync"
}

/** Returns true if a list counts for its partner's state: it was requested in the last two weeks. */
export function counts(row: SyncRow, now: number): boolean {
  return now - lastRequest(row) <= thresholds.abandoned
}

function intervalOf({ poll_interval }: Pick<SyncRow, "poll_interval">): number {
  return poll_interval ?? thresholds.interval
}
