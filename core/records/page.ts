import type { Columns } from "../data/columns.ts"

/** What `since` is when it is not given: 22 November 2020. */
export const defaultSince = 1606062358

/**
 * The part of a list that is asked for: records with `updated >= since` in which every term
 * occurs, newest first, `limit` of them from `offset` on, or from where a walk by cursor goes on.
 */
export interface PageRequest {
  readonly since: number
  readonly offset: number
  readonly limit: number
  /** What `q` was split into; none matches everything. */
  readonly terms: readonly string[]
  /** Only records whose id begins with this; empty is all of them. */
  readonly bucket?: string
  /** Where a walk goes on, by part of the list; a part that is missing here has ended. */
  readonly after?: Positions | undefined
}

/** A place in a list: the time (`updated`, or that of a deletion) and the id of a record that was shown. */
export type Position = readonly [time: number, id: string]

/** Places by part: a plain list has one part, a bundle one for each category. */
export type Positions = Readonly<Record<string, Position>>

/** A page that has been read. */
export interface ListResult {
  /** Ready for JSON; lists in it may be `JsonRecords`. */
  readonly body: unknown
  /** The parts that go on after this page, and from where. */
  readonly next: Positions
  /** From when on the list is complete, in Unix seconds, for lists that do not reach back for ever. */
  readonly completeSince?: number
}

/** A row of a record, with at least its position. */
export type PositionedRow = Columns & { readonly updated: number; readonly id: string }
