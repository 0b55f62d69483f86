import type { Columns } from "../../data/table.ts"
import type { OmittedRecord } from "../kinds/values.ts"

/** The default of `since`, in Unix seconds: 22 November 2020. */
export const defaultSince = 1606062358

/**
 * The part of a list to read: records with `updated >= since` in which every term occurs, newest first. It has at most
 * `limit` of them, from `offset`, or after `after` in a walk by cursor.
 */
export interface PageRequest {
  /** Unix seconds. */
  readonly since: number
  readonly offset: number
  readonly limit: number
  /** The words of `q`. Without any, everything matches. */
  readonly terms: readonly string[]
  /** Reads only records whose id begins with this. Empty means all. */
  readonly bucket?: string
  /**
   * Reads only records the SHA-256 of whose id begins with this, in hexadecimal. Empty also means all, but a digest has
   * buckets by hash then.
   */
  readonly hash?: string | undefined
  /** Reads only this part of a bundle; the others are empty. Empty means all. */
  readonly category?: string
  /** What a digest is of: `content`, or the times of records. */
  readonly of?: "" | "content"
  /** True to write records as lines of JSON, without an array or a bundle around them. */
  readonly asLines?: true
  /** Where a walk continues, by part of the list; `offset` is 0 then. A part that is missing here has ended. */
  readonly after?: Positions | undefined
}

/** The place of a record in a list: `updated` and id. Of a deletion: its time, and the record's id and category. */
export type Position = readonly [time: number, id: string]

/** Before every position: no record is as new. */
export const beginning: Position = [Number.MAX_SAFE_INTEGER, ""]

/** Places by part: a plain list has one part, a bundle one per category. */
export type Positions = Readonly<Record<string, Position>>

/** A page of a list. */
export interface ListResult {
  /** Ready for JSON, or an `EncodedBody`. */
  readonly body: unknown
  /** Where each part continues after this page. A part that has ended is missing. */
  readonly next: Positions
  /** The time since which the list is complete, in Unix seconds; for lists that do not reach back to the beginning. */
  readonly completeSince?: number
  /** The times of the oldest and the newest record on the page; missing if there is none. */
  readonly span?: Span
  readonly leftOut?: readonly OmittedRecord[]
}

/** Times of records, both included, in Unix seconds. */
export interface Span {
  readonly oldest: number
  readonly newest: number
}

/** A row of a record, with at least its position. */
export type PositionedRow = Columns & {
  readonly updated: number
  readonly id: string
  /** The record's version, if it was asked for. */
  readonly export_version?: number
}

/** Returns the span of some rows, in any order. */
export function spanOf(
  rows: readonly (Pick<PositionedRow, "updated"> | undefined)[],
): Pick<ListResult, "span"> {
  const times = rows.flatMap((row) => row?.updated ?? [])
  if (times.length === 0) return {}
  return { span: { oldest: Math.min(...times), newest: Math.max(...times) } }
}
