import type { Schema } from "../../../core/tables.ts"
import type { ListFilter } from "./list-filters.ts"

/** What a partner's synchronization can be like. */
export type PartnerState = (typeof worstFirst)[number]

/** All states, the worst first. */
export const worstFirst = [
  "locked out",
  "no access",
  "stuck",
  "silent",
  "behind",
  "never polled",
  "partial",
  "in sync",
  "disabled",
] as const

/** True if a partner has all that it reads. */
export function isWell(state: PartnerState): boolean {
  return state === "in sync" || state === "partial"
}

/** True if something is wrong with a partner, or not begun. */
export function isWrong(state: PartnerState): boolean {
  return !isWell(state) && state !== "disabled"
}

/** What can be said of one list of a partner: `stateOfList` says when. */
export type ListState = (typeof worstLists)[number]

/** All states of a list, the worst first. */
export const worstLists = [
  "stuck",
  "no access",
  "behind",
  "failed",
  "silent",
  "unread",
  "partial",
  "in sync",
] as const

/**
 * Why it is not known whether a partner has all of a list: it began with a `since` of its own, or sends the same one again,
 * and something has changed in between; its first walk has not ended; or it reads by category, by bucket or by search only.
 */
export type Doubt = "own since" | "same since" | "first walk" | "part"

/** The numbers in the definitions below. Times are seconds. */
export const thresholds = {
  /** A list whose interval is not known. */
  interval: 900,
  /** How much later than after one interval a change may be fetched. */
  grace: 60,
  /** So many recommended intervals without a request are silence, and at least so many seconds or `most` intervals. */
  silence: { intervals: 3, least: 3600, most: 10 },
  /** So many intervals with walks that are begun again. */
  stuckIntervals: 10,
  /** A list without a request for so long counts no more: the partner has given it up. */
  abandoned: 14 * 86_400,
  /** After so long without a request, the program of a disabled account has given up. */
  knocking: 2 * 86_400,
} as const

/** How far a partner is with a list: a row of `sync_state`. */
export type SyncRow = Readonly<Omit<Schema["sync_state"], "records"> & { readonly records: number }>

/** What decides about a partner's state. Times are Unix seconds; null means never. */
export interface PartnerFacts {
  readonly now: number
  readonly isDisabled: boolean
  /** It can read nothing any more, and has tried lately: `no-access.ts` finds out. */
  readonly hasNoAccess: boolean
  /** The last request that was refused with 401, or log-in if there is no session; and the last ones that were not. */
  readonly refused: number | null
  readonly lastPoll: number | null
  readonly lastError: number | null
  readonly lastLogIn: number | null
  /** Times from which lists of the account are silent: the latest of each recommended interval. */
  readonly silentFrom: readonly number[]
  /** The numbers of lists in these states. */
  readonly stuck: number
  readonly behind: number
  /** The number of lists of which it is not known whether it has all. */
  readonly partial: number
}

/**
 * Returns the state of a partner. The first of these that applies:
 *
 * - **disabled**: its account is, and its program does not try any more
 * - **locked out**: its last request was refused with 401 after its last good one, because its session has ended; or
 *   its last log-in was, and it has no session
 * - **no access**: none of its grants counts now, from the address of its last request; or its account is disabled. And
 *   it has tried lately
 * - **never polled**: it has never read a list; **stuck** if it tries and gets errors only
 * - **silent**: there was no request for three recommended intervals, and for ten of them or an hour, whichever is
 *   less. The interval is the shortest of the lists that it still read when it was heard of last
 * - **stuck**, **behind**: one of its lists is
 * - **partial**: of one of its lists, it is not known whether it has all
 * - **in sync**
 */
export function stateOfPartner(facts: PartnerFacts): PartnerState {
  const { now, isDisabled, refused, lastPoll, lastError, lastLogIn } = facts
  if (isDisabled) return facts.hasNoAccess ? "no access" : "disabled"
  const lastGood = Math.max(lastPoll ?? 0, lastError ?? 0, lastLogIn ?? 0)
  if (refused !== null && refused > lastGood) return "locked out"
  if (facts.hasNoAccess) return "no access"
  if (lastPoll === null) {
    const tries = lastError !== null && now - lastError <= thresholds.silence.least
    return tries ? "stuck" : "never polled"
  }
  if (isSilent(facts)) return "silent"
  if (facts.stuck > 0) return "stuck"
  if (facts.behind > 0) return "behind"
  return facts.partial > 0 ? "partial" : "in sync"
}

function isSilent({ now, lastPoll, lastError, silentFrom }: PartnerFacts): boolean {
  const last = Math.max(lastPoll ?? 0, lastError ?? 0)
  // A list that was silent then has been given up, while others were read.
  return silentFrom.some((from) => from > last && from < now)
}

/** The roles of accounts that are partners, unless they are those of viewers. */
export const partnerRoles = ["service", "partner"] as const

/** What a reading is judged by. Times are Unix seconds. */
export interface Judging {
  readonly now: number
  /** How long deletions are kept, in seconds. */
  readonly retention: number
  /** Deletions from before are not known. */
  readonly completeSince: number
}

/** Like `Judging`, in a snapshot. */
export interface Reading extends Judging {
  /** The filters that lists of guests have, or had. */
  readonly filters: readonly ListFilter[]
  /** True if there is an audit log to read. */
  readonly hasAudit: boolean
  /** True if all accounts are read, and only what a table of them shows: see `HealthOptions`. */
  readonly isBrief?: boolean | undefined
}

/**
 * Returns the days until a list of deletions gets 410 `resync_required` at the earliest, if its partner sends no later
 * `since` than the one that it has acknowledged; negative if the next poll gets it. What happened at `from` is forgotten
 * after `retention`, or was never known: from before `completeSince`. `forgottenFrom` says what that is.
 */
export function daysUntilResync(from: number, { completeSince, now, retention }: Judging): number {
  const horizon = from < completeSince ? completeSince : now - retention
  return (from - horizon) / 86_400
}
