import type { ErrorGroup } from "./list-errors.ts"
import type { ListHealth } from "./list-health.ts"
import type { LostEvent } from "./lost-events.ts"
import type { PartnerHealth } from "./partner-health.ts"
import type { AccountLimits } from "./account-limits.ts"

/** Everything about one partner. Times are Unix seconds. */
export interface PartnerReport {
  readonly health: PartnerHealth
  /** When this was true. */
  readonly at: number
  /** The worst first. */
  readonly lists: readonly ListHealth[]
  /** Its errors of the last week, most recent first, each with what to do about it. */
  readonly errors: readonly (ErrorGroup & { readonly advice: string })[]
  /** The number of events that have not ended, and that it reads no list of. */
  readonly unreadEvents: number
  /** What it may request; undefined if that is not known. */
  readonly limits: AccountLimits | undefined
  /** Events whose lists it has requested in the last two weeks, and may not read now. */
  readonly lostEvents: readonly LostEvent[]
  /** Grants that have ended in the last 30 days, or end in the next. */
  readonly grants: readonly {
    /** The id of an event, or the slug of an organization. */
    readonly target: string
    readonly ends: number
  }[]
  /** Why its last session ended before its time, if it has none that is live. */
  readonly lastSession: {
    readonly ended: number
    /** Null if its time was up. */
    readonly reason: string | null
    readonly isToken: boolean
  } | null
  /** The same for people: how it is doing, why, and what to do. */
  readonly sentences: readonly string[]
}
