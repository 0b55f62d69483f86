import type { PartnerKind } from "./partner.ts"

/** What can happen, and how often: a small world, whose states can all be visited. */
export interface Scope {
  readonly nodes: number
  /** What each node's clock shows more than the first's. */
  readonly skews?: readonly number[]
  /** The records at the start, the oldest first. */
  readonly records: string
  /** The changes that writers can make. */
  readonly changes: readonly { readonly record: string; readonly gone?: true }[]
  readonly partner?: PartnerKind
  /** True if pages and records are cached. */
  readonly caches?: true
  /** True if something can happen between a look and the commit of its heartbeat. */
  readonly looksInParts?: true
  readonly failovers?: readonly ("of everything" | "that loses commits")[]
  readonly most: {
    readonly ticks?: number
    readonly changes: number
    readonly looks?: number
    readonly requests: number
    readonly failovers?: number
    /** Crashes of a replica that lose what it applied last. */
    readonly crashes?: number
    readonly folds?: number
  }
}
