import type { PartnerKind } from "./partner.ts"

/** What can happen, and how often: a small world, whose states can all be visited. */
export interface Scope {
  /** What the clock of each server shows more than the first's. */
  readonly clocks: readonly number[]
  /** The records at the start, the oldest first. */
  readonly records: string
  /** The changes that writers can make: letters of records, with a minus for a deletion. */
  readonly changes: readonly string[]
  readonly partner?: PartnerKind
  readonly failovers?: readonly Failover[]
  /** What may happen between two moments that are one otherwise. */
  readonly apart?: readonly ("a change and its commit" | "a look and its heartbeat")[]
  /** True if a second may pass without a look. */
  readonly missesLooks?: true | undefined
  /** True if no look has known of replicas before. */
  readonly isNew?: true
  /** How often each thing can happen; never if it is left out. */
  readonly most: Readonly<Partial<Record<Budget, number>>>
}

/**
 * - `complete`: a server with everything takes over at once.
 * - `election`: there is no primary for a while. Servers still apply what they have received.
 * - `pause`: a server with everything takes over, and the former primary does not know it.
 * - `split`: a server with everything takes over, and another process goes on with the former primary.
 * - `loss`: a replica takes over without what it had not received.
 */
export type Failover = "complete" | "election" | "pause" | "split" | "loss"

export type Budget =
  | "seconds"
  | "changes"
  | "requests"
  | "failovers"
  /** The primary answers and cannot commit, until another one is the primary or it can again. */
  | "jams"
  /** The clock of the primary is set back by two seconds. */
  | "setBacks"
  /** A replica crashes and loses what it applied last. */
  | "crashes"
  | "folds"
  /** A page is read and cached. */
  | "cachings"
