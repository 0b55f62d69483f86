import type { Compilable } from "kysely"
import type { Columns } from "../../data/columns.ts"
import type { Runnable, Snapshot } from "../../data/database.ts"
import { type ResultRow, valueOf } from "../../data/mysql/raw-row.ts"
import type { Row } from "../compile-record.ts"
import type { Position, PositionedRow } from "../page.ts"
import type { Projection } from "../projection.ts"
import type { JsonRecords, ResultRows } from "./json-records.ts"

/** A query that has not been sent, for rows that may stay raw. */
type Query<R extends Columns> = Compilable<R> & Runnable<R>

/** A page of a list. */
interface ListPage {
  /** Ready for JSON. */
  readonly records: JsonRecords | Record<string, unknown>[]
  /** The position of the last record, if more follow. */
  readonly next: Position | undefined
}

/** Rows of another table that belong to the records of a page, such as their consents. */
export interface Companion {
  /** The relations that the rows may be of. If there are several, the column `kind` has the name. */
  readonly relations: readonly string[]
  /** Returns the query of the rows that belong to the records with these ids. */
  query(ids: readonly string[]): Query<CompanionRow>
}

/** A row that belongs to a record. A record that has none may have a row of nulls, which reads the same. */
export type CompanionRow = Columns & {
  /** The place of the record among the ids, from 1 on. */
  readonly place: number
  readonly kind?: string | null
}

/**
 * Reads a page of at most `limit` records, as a projection lets them through. `query` must ask for
 * one row more, which shows if the list goes on.
 *
 * All records are read here. This decides if the rows that MySQL sends stay raw, to be written as JSON
 * without becoming JavaScript values. Nothing outside of this folder sees a raw row.
 */
export async function readList(
  { project }: Projection,
  snapshot: Snapshot,
  query: Query<PositionedRow>,
  { limit, companions = [] }: {
    readonly limit: number
    readonly companions?: readonly Companion[]
  },
): Promise<ListPage> {
  const read: Read = (query) => project.writer ? snapshot.runRaw(query) : snapshot.run(query)
  const found = await read(query)
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1) : undefined
  const rows = page.length > 0 && companions.length > 0
    ? await joinCompanions(page, companions, read)
    : page.map((record) => ({ record }))
  return {
    records: project.writer?.(rows as ResultRows[]) ?? (rows as Row[]).map(project),
    next: last && [valueOf(last, "updated"), valueOf(last, "id")],
  }
}

type Read = <R extends Columns>(query: Query<R>) => Promise<ResultRow<R>[]>

async function joinCompanions(
  page: readonly ResultRow<PositionedRow>[],
  companions: readonly Companion[],
  read: Read,
): Promise<ResultRows[]> {
  // Rows of one shape are faster to go through: each has all relations from the beginning.
  const relations = companions.flatMap(({ relations }) => relations)
  const blank = Object.fromEntries(relations.map((name) => [name, undefined]))
  const rows = page.map((record): Record<string, ResultRow | undefined> => ({ ...blank, record }))
  const ids = page.map((row) => valueOf(row, "id"))
  for (const { relations: [only = "", ...others], query } of companions) {
    for (const row of await read(query(ids))) {
      const relation = others.length > 0 ? valueOf(row, "kind") : only
      const joined = rows[valueOf(row, "place") - 1]
      if (relation && joined) joined[relation] = row
    }
  }
  return rows
}
