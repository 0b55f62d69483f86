import type { ListKind } from "./tables.ts"

/** A list that an account reads: a row of `sync_state`. */
export interface SyncKey {
  readonly accountId: string
  /** Empty for a list of no event. */
  readonly eventId: string
  readonly prefix: string
  readonly list: string
}

/** The first page of a walk. Times are Unix seconds on the database's clock, here and below. */
export interface WalkStart {
  readonly at: number
  readonly since: number
  readonly nextSince: number
}

/** What an account did in an hour. */
export interface HourCounts {
  /** The beginning of the hour. */
  readonly hour: number
  readonly polls: number
  readonly walks: number
  readonly records: number
  readonly errors: number
  readonly lag: number | null
}

/**
 * What requests change in a row of `sync_state`, and in the account's hours. Changes can be merged in any order
 * and any grouping: the result is the same.
 */
export interface SyncChange extends SyncKey {
  readonly family: string
  readonly kind: ListKind
  /** False for an error about an event that the account may not read: it may not even exist. */
  readonly isReadable: boolean
  /** The last poll, with the interval that was recommended. */
  readonly poll?: { readonly at: number; readonly interval: number } | undefined
  /** The last walks: the latest first, one per second, three at most. */
  readonly starts: readonly WalkStart[]
  /** The first walk of all. */
  readonly firstStart?: number | undefined
  /** The last walk that was completed, with the `Next-Since` of its last page. */
  readonly completed?: { readonly at: number; readonly nextSince: number } | undefined
  readonly acknowledged?: { readonly at: number; readonly since: number } | undefined
  /** Number of records sent. */
  readonly records: number
  readonly firstError?: number | undefined
  /** The last error. */
  readonly error?: {
    readonly at: number
    readonly status: number
    readonly code: string
    readonly request: string
  } | undefined
  /** One for each hour. */
  readonly hours: readonly HourCounts[]
}

/** The number of walks whose beginnings are remembered. */
export const rememberedWalks = 3

/** Returns the one change that does what two changes of the same list do. */
export function mergeChanges(one: SyncChange, other: SyncChange): SyncChange {
  return {
    ...one,
    isReadable: one.isReadable || other.isReadable,
    poll: later(one.poll, other.poll, (each) => each.interval),
    starts: mergeStarts(one.starts, other.starts),
    firstStart: earlier(one.firstStart, other.firstStart),
    completed: later(one.completed, other.completed, (each) => each.nextSince),
    acknowledged: later(one.acknowledged, other.acknowledged, (each) => each.since),
    records: one.records + other.records,
    firstError: earlier(one.firstError, other.firstError),
    error: later(one.error, other.error, (each) => each.request),
    hours: mergeHours(one.hours, other.hours),
  }
}

/** Names a list of an account. */
export function nameOf({ accountId, eventId, prefix, list }: SyncKey): string {
  return `${accountId} ${eventId} ${prefix} ${list}`
}

/** Returns the beginning of the hour of a time. */
export function hourOf(seconds: number): number {
  return seconds - seconds % 3600
}

/** Adds up the counts of an hour. */
export function addCounts(one: HourCounts, other: HourCounts): HourCounts {
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

/** Returns the later of two; of two in the same second, that with the greater `rank`. */
function later<T extends { readonly at: number }>(
  one: T | undefined,
  other: T | undefined,
  rank: (value: T) => number | string,
): T | undefined {
  if (!one || !other) return one ?? other
  if (one.at !== other.at) return one.at > other.at ? one : other
  return rank(one) >= rank(other) ? one : other
}

function earlier(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? one ?? other : Math.min(one, other)
}

function mergeStarts(one: readonly WalkStart[], other: readonly WalkStart[]): readonly WalkStart[] {
  const latestFirst = [...one, ...other].sort((a, b) =>
    b.at - a.at || b.since - a.since || b.nextSince - a.nextSince
  )
  return latestFirst.filter(({ at }, index) => at !== latestFirst[index - 1]?.at)
    .slice(0, rememberedWalks)
}

function mergeHours(one: SyncChange["hours"], other: SyncChange["hours"]): SyncChange["hours"] {
  return other.reduce((merged, counts) => {
    const place = merged.findIndex(({ hour }) => hour === counts.hour)
    if (place < 0) return [...merged, counts]
    return merged.map((each, index) => index === place ? addCounts(each, counts) : each)
  }, one)
}
