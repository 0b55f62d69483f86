import type { ErrorGroup } from "./list-errors.ts"
import type { ListHealth } from "./list-health.ts"
import type { LostEvent } from "./lost-events.ts"
import type { PartnerHealth } from "./partner-health.ts"
import type { AccountLimits } from "./account-limits.ts"

/** Everything about one partner. Times are Unix seconds. */
export interface PartnerReport {
  readonly health: PartnerHealth
  /** The time of the report. */
  readonly at: number
  /** The worst first. */
  readonly lists: readonly ListHealth[]
  /** Its errors of the last week, most recent first, each with advice. */
  readonly errors: readonly (ErrorGroup & { readonly advice: string })[]
  /** Number of events that have not ended and of which it reads no list. */
  readonly unreadEvents: number
  /** How much it may request; undefined if unknown. */
  readonly limits: AccountLimits | undefined
  /** Events whose lists it requested in the last two weeks but may not read now. */
  readonly lostEvents: readonly LostEvent[]
  /** Grants that ended in the last 30 days or end in the next 30. */
  readonly grants: readonly {
    /** The id of an event, or the slug of an organization. */
    readonly target: string
    readonly ends: number
  }[]
  /** How its last session or token ended, if none is live. */
  readonly lastSession: {
    readonly ended: number
    /** Null if it expired. */
    readonly reason: string | null
    readonly isToken: boolean
  } | null
  /** The same in prose: how it is doing, why, and what to do. */
  readonly sentences: readonly string[]
}
