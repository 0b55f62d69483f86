import type { Schema } from "../../../core/tables.ts"
import type { ListFilter } from "./list-filters.ts"

/** The states of a partner's synchronization. */
export type PartnerState = (typeof worstFirst)[number]

/** All states, worst first. */
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

/** Returns true if a partner has all of what it reads. */
export function isWell(state: PartnerState): boolean {
  return state === "in sync" || state === "partial"
}

/** Returns true if something is wrong with a partner, or it has not begun. */
export function isWrong(state: PartnerState): boolean {
  return !isWell(state) && state !== "disabled"
}

/** The state of one of a partner's lists: see `stateOfList`. */
export type ListState = (typeof worstLists)[number]

/** All states of a list, worst first. */
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
 * Why it is unknown whether a partner has all of a list: it began with its own `since`, or repeats one, and something
 * changed in between; its first walk has not ended; or it only reads by category, bucket or search.
 */
export type Doubt = "own since" | "same since" | "first walk" | "part"

/** The thresholds of the definitions below, in seconds. */
export const thresholds = {
  /** The interval of a list if it is unknown. */
  interval: 900,
  /** How much longer than one interval fetching a change may take. */
  grace: 60,
  /** A partner is silent after `intervals` recommended intervals, and after `least` seconds or `most` intervals. */
  silence: { intervals: 3, least: 3600, most: 10 },
  /** Intervals after which two unfinished walks mean stuck. */
  stuckIntervals: 10,
  /** A list that was not requested for this long no longer counts: the partner has given it up. */
  abandoned: 14 * 86_400,
  /** When no request came for this long, the program of a disabled account has given up. */
  knocking: 2 * 86_400,
} as const

/** A partner's progress on a list: a row of `sync_state`. */
export type SyncRow = Readonly<Omit<Schema["sync_state"], "records"> & { readonly records: number }>

/** The facts that decide a partner's state. Times are Unix seconds; null means never. */
export interface PartnerFacts {
  readonly now: number
  readonly isDisabled: boolean
  /** True if it can no longer read anything and tried lately: see `no-access.ts`. */
  readonly hasNoAccess: boolean
  /**
   * The last request refused with 401, or the last refused log-in if there is no session; then the last successful
   * ones.
   */
  readonly refused: number | null
  readonly lastPoll: number | null
  readonly lastError: number | null
  readonly lastLogIn: number | null
  /** Times from which the account's lists are silent: the latest per recommended interval. */
  readonly silentFrom: readonly number[]
  /** Numbers of lists in these states. */
  readonly stuck: number
  readonly behind: number
  /** Number of lists for which it is unknown whether the partner has all. */
  readonly partial: number
}

/**
 * Returns the state of a partner. The first of these that applies:
 *
 * - **disabled**: its account is disabled, and its program has stopped trying
 * - **locked out**: since its last successful request, one was refused with 401 because its session has ended; or its
 *   last log-in was refused, and it has no session
 * - **no access**: none of its grants is valid now from the address of its last request, or its account is disabled;
 *   and it tried lately
 * - **never polled**: it has never read a list; **stuck** if it tries and only gets errors
 * - **silent**: it sent no request for three recommended intervals, and for ten of them or an hour, whichever is less.
 *   The interval is the shortest among the lists that it still read at the time of its last request
 * - **stuck**, **behind**: one of its lists is
 * - **partial**: it is unknown whether it has all of one of its lists
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
  // A list that was already silent then had been given up while others were read.
  return silentFrom.some((from) => from > last && from < now)
}

/** The roles of partners' accounts, except those of viewers. */
export const partnerRoles = ["service", "partner"] as const

/** What to judge by. Times are Unix seconds. */
export interface Judging {
  readonly now: number
  /** Seconds for which deletions are kept. */
  readonly retention: number
  /** Earlier deletions are unknown. */
  readonly completeSince: number
}

/** Like `Judging`, in a snapshot. */
export interface Reading extends Judging {
  /** The current and former filters of lists of guests. */
  readonly filters: readonly ListFilter[]
  /** True if there is an audit log to read. */
  readonly hasAudit: boolean
  /** True to read all accounts, but only what a table of them shows: see `HealthOptions`. */
  readonly isBrief?: boolean | undefined
}

/**
 * Returns the days until polls of a list of deletions may begin to get 410 `resync_required`, if the partner does not
 * acknowledge more; negative if its next poll gets 410. `from` comes from `forgottenFrom`: a deletion of that time is
 * forgotten after `retention`, and one from before `completeSince` was never known.
 */
export function daysUntilResync(from: number, { completeSince, now, retention }: Judging): number {
  const horizon = from < completeSince ? completeSince : now - retention
  return (from - horizon) / 86_400
}
