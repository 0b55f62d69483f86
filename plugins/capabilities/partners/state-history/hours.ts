import { type ListState, type PartnerState, worstFirst, worstLists } from "../definitions.ts"
import { hourOf } from "../sync-change.ts"

/** What is known of an hour or a day: the worst state that was seen in it. */
export type SeenState = PartnerState | ListState | "not known"

/** Whose state it is: a row's key without its beginning. Of a partner, all but the account is empty. */
export interface Subject {
  readonly account_id: string
  readonly event_id: string
  readonly prefix: string
  readonly list: string
}

/** The hours in which something was not in sync, in Unix seconds; `ended` is null if it still is not. */
export interface Run {
  readonly began: number
  readonly ended: number | null
  readonly state: SeenState
}

/** What two looks at partners say of the time between them. */
export interface Looks {
  readonly now: number
  /** The look before; 0 if there was none. */
  readonly last: number
}

/** Seconds of an hour. */
export const anHour = 3600

/** All states from the worst to the best, of partners and of lists. */
const ranks: readonly string[] = [...new Set<string>([...worstFirst, ...worstLists])].toSorted(
  (a, b) => rankIn(a) - rankIn(b),
)

function rankIn(state: string): number {
  const place = (worstFirst as readonly string[]).indexOf(state)
  // What only a list can be is next to the best.
  return place < 0 ? worstFirst.indexOf("in sync") - 0.5 : place
}

/** Returns true if one state is worse than another. What is not known is worse than nothing. */
export function isWorse(one: SeenState, other: SeenState): boolean {
  return other === "not known" || (one !== "not known" && ranks.indexOf(one) < ranks.indexOf(other))
}

/**
 * Returns the runs to write when something is seen in a state: none while nothing changes. An hour keeps the worst state
 * that was seen in it, so a better one begins with the next hour.
 */
export function runsToWrite(
  open: Run | undefined,
  state: SeenState,
  { now, last }: Looks,
): readonly Run[] {
  const hour = hourOf(now)
  const former = open?.state ?? "in sync"
  if (state === former) return []
  if (!isWorse(state, former) && hourOf(last) === hour) return []
  const begun: Run[] = state === "in sync" ? [] : [{ began: hour, ended: null, state }]
  // A run that began in this hour is replaced: it has the same key.
  const isReplaced = open === undefined || (open.began === hour && begun.length > 0)
  return isReplaced ? begun : [{ ...open, ended: Math.max(hour, open.began) }, ...begun]
}

/** What decides about the hours of somebody. Times are Unix seconds. */
export interface Known {
  /** Since when there is something to see. */
  readonly since: number
  /** The last look. */
  readonly until: number
  /** When nobody looked. */
  readonly gaps: readonly Run[]
}

/**
 * Returns the worst state in each of `count` hours from `first` on. An hour is not known if no look was in it, and if all
 * of it is before the beginning or after the last look.
 */
export function hoursOf(
  runs: readonly Run[],
  { since, until, gaps }: Known,
  { first, count }: { readonly first: number; readonly count: number },
): readonly SeenState[] {
  const end = first + count * anHour
  const hours = new Array<SeenState>(count).fill("not known")
  const each = (from: number, to: number, change: (hour: number) => void) => {
    const last = Math.min(to, end)
    for (let hour = Math.max(hourOf(from), first); hour < last; hour += anHour) {
      change((hour - first) / anHour)
    }
  }
  each(since, until + 1, (hour) => hours[hour] = "in sync")
  const written = new Set<number>()
  for (const { began, ended, state } of runs) {
    each(began, ended ?? until + 1, (hour) => {
      const seen = hours[hour]
      if (seen === undefined || seen === "not known") return
      // One run for an hour says what it was, were it better than in sync.
      if (!written.has(hour) || isWorse(state, seen)) hours[hour] = state
      written.add(hour)
    })
  }
  for (const { began, ended } of gaps) {
    // The looks at both ends saw something of their hours.
    const [from, to] = [hourOf(began) + anHour, hourOf(ended ?? until)]
    each(began === 0 ? 0 : from, to, (hour) => hours[hour] = "not known")
  }
  return hours
}

/** Returns the worst state of each day. A day is not known if none of its hours is. */
export function daysOf(hours: readonly SeenState[]): readonly SeenState[] {
  return Array.from(
    { length: Math.ceil(hours.length / 24) },
    (_, day) => hours.slice(day * 24, day * 24 + 24).reduce(worse, "not known"),
  )
}

function worse(one: SeenState, other: SeenState): SeenState {
  return isWorse(other, one) ? other : one
}

/** How long a partner was in sync in a month, as far as that is known. All are seconds. */
export interface MonthShare {
  /** The beginning of the month in Unix seconds. */
  readonly month: number
  readonly inSync: number
  readonly known: number
  /** When nobody looked. */
  readonly unknown: number
}

/** Returns how long a partner was in sync since a month began, of the time in which it could be. */
export function shareOf(
  { failing, idle }: { readonly failing: number; readonly idle: number },
  { since, until, gaps }: Known,
): MonthShare {
  const month = monthOf(until)
  const from = Math.max(month, since)
  const unknown = gaps.reduce((sum, { began, ended }) => {
    return sum + Math.max(0, Math.min(ended ?? until, until) - Math.max(began, from))
  }, 0)
  const known = Math.max(0, until - from - unknown - idle)
  return { month, known, inSync: Math.max(0, known - failing), unknown }
}

/** Returns the beginning of the calendar month (UTC) of a time. */
export function monthOf(seconds: number): number {
  const date = new Date(seconds * 1000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / 1000
}
