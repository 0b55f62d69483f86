import type { Columns } from "../data/columns.ts"

/** The default of `since`: 22 November 2020. */
export const defaultSince = 1606062358

/**
 * The part of a list to read: records with `updated >= since` in which every term occurs, newest
 * first. It has `limit` of them, from `offset` on or from where a walk by cursor goes on.
 */
export interface PageRequest {
  readonly since: number
  readonly offset: number
  readonly limit: number
  /** The words of `q`. Without any, everything matches. */
  readonly terms: readonly string[]
  /** Reads only records whose id begins with this. Empty means all. */
  readonly bucket?: string
  /** Where a walk goes on, by part of the list. A part that is missing here has ended. */
  readonly after?: Positions | undefined
}

/** A place in a list: the time (`updated`, or that of a deletion) and the id of a record on the page. */
export type Position = readonly [time: number, id: string]

/** Places by part: a plain list has one part, a bundle one per category. */
export type Positions = Readonly<Record<string, Position>>

/** A page of a list. */
export interface ListResult {
  /** Ready for JSON. Lists in it may be `JsonRecords`. */
  readonly body: unknown
  /** Where each part goes on after this page. A part that has ended is missing. */
  readonly next: Positions
  /** The list is complete from this moment on, in Unix seconds; for lists that do not reach back to the beginning. */
  readonly completeSince?: number
}

/** A row of a record, with at least its position. */
export type PositionedRow = Columns & { readonly updated: number; readonly id: string }
