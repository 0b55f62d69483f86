import type { Columns } from "../../data/table.ts"
import type { Runnable, Snapshot } from "../../data/database.ts"
import { encodeParts, type PageShape } from "../bytes/encoded-body.ts"
import { type RecordTexts, writeRecords } from "../bytes/write-records.ts"
import { type ListResult, type Position, type PositionedRow, spanOf } from "./page.ts"
import type { Projection } from "../kinds/projection.ts"

/** A page of a list that has not been read. */
export interface PageQuery {
  readonly projection: Projection
  readonly limit: number
  /** Asks for one row more than `limit`, to see whether the list continues. */
  readonly query: Runnable<PositionedRow>
  /** What else belongs to the records, such as their consents. */
  readonly companions: readonly Companion[]
  /** True if `query` has all columns; else it has keys, and one of the companions is the record itself. */
  readonly isWhole: boolean
}

/** Rows of some table that belong to records. */
export interface Companion {
  /** The relations that every row is of. */
  readonly relations: readonly string[]
  /** Others that a row may be of: its column `kind` has the name. */
  readonly kinds?: readonly string[]
  /** Returns the query of the rows that belong to the records with these ids. */
  query(ids: readonly string[]): Runnable<CompanionRow>
  /** Makes the row of a record from what the query returned; left out, it is the same. */
  rowOf?(found: CompanionRow): CompanionRow
}

/** A row that belongs to a record. A record that has none may have a row of nulls, which reads the same. */
export type CompanionRow = Columns & {
  /** The place of the record among the ids, from 1. */
  readonly place: number
  readonly kind?: string | null
}

/**
 * Reads pages of records as projections let them through, one after the other. A page without a query is empty.
 */
export async function readPages(
  snapshot: Snapshot,
  shape: PageShape,
  queries: Readonly<Record<string, PageQuery | undefined>>,
): Promise<ListResult> {
  const isTogether = shape === "list" || shape === "bundle"
  const pages: ReadPage[] = []
  for (const [name, query] of Object.entries(queries)) {
    pages.push(query ? await readPage(snapshot, name, query, isTogether) : { ...emptyPage, name })
  }
  const next = Object.fromEntries(pages.flatMap(({ name, next }) => next ? [[name, next]] : []))
  const leftOut = pages.flatMap(({ leftOut }) => leftOut)
  const span = spanOf(pages.flatMap(({ ends }) => ends))
  const body = encodeParts(pages, shape)
  return { body, next, leftOut, ...span }
}

/** Records of one kind that were read, without their rows, which take several times the memory. */
interface ReadPage extends RecordTexts {
  readonly name: string
  /** The position of the last record, if more follow. */
  readonly next: Position | undefined
  /** The first row and the last one. */
  readonly ends: readonly (PositionedRow | undefined)[]
}

const emptyPage = { texts: [], count: 0, next: undefined, leftOut: [], ends: [] } as const

/** Reads a page of records of one kind; with `isTogether`, its texts have several records. */
async function readPage(
  snapshot: Snapshot,
  name: string,
  { projection, limit, query, companions, isWhole }: PageQuery,
  isTogether: boolean,
): Promise<ReadPage> {
  const found = await snapshot.run(query)
  const records = found.slice(0, limit)
  const ids = records.map(({ id }) => id)
  const rows = await joinInOrder(snapshot, ids, companions)
  if (isWhole) { for (const [place, row] of rows.entries()) row["record"] = records[place] }
  const written = writeRecords({ projection, ids, rows }, { isTogether })
  const last = found.length > limit ? records.at(-1) : undefined
  const next = last && [last.updated, last.id] as const
  return { name, ...written, next, ends: [records[0], records.at(-1)] }
}

/** Reads the rows that belong to records, and returns them by relation in the order of the ids. */
export async function joinInOrder(
  snapshot: Snapshot,
  ids: readonly string[],
  companions: readonly Companion[],
): Promise<JoinedRow[]> {
  if (companions.length === 0 || ids.length === 0) return await joinRows(snapshot, ids, companions)
  // Neighbours in an index are found faster one after the other.
  const places = [...ids.keys()].toSorted((a, b) =>
    (ids[a] as string) < (ids[b] as string) ? -1 : 1
  )
  const sorted = places.map((place) => ids[place] as string)
  const joined: JoinedRow[] = []
  for (const [index, row] of (await joinRows(snapshot, sorted, companions)).entries()) {
    joined[places[index] as number] = row
  }
  return joined
}

/** The rows of a record by relation, while they are read. */
type JoinedRow = Record<string, Columns | undefined>

/** Reads the rows that belong to records with some ids, and returns them by relation for each id. */
async function joinRows(
  { run }: Snapshot,
  ids: readonly string[],
  companions: readonly Companion[],
): Promise<JoinedRow[]> {
  // Rows of one shape are faster to go through: each has all relations from the beginning.
  const names = companions.flatMap(({ relations, kinds = [] }) => [...relations, ...kinds])
  const blank = Object.fromEntries(["record", ...names].map((name) => [name, undefined]))
  const joined = ids.map((): JoinedRow => ({ ...blank }))
  for (const { relations, kinds, query, rowOf } of companions) {
    for (const found of await run(query(ids))) {
      const row = rowOf ? rowOf(found) : found
      const record = joined[row.place - 1]
      if (!record) continue
      for (const relation of relations) record[relation] = row
      if (kinds && row.kind) record[row.kind] = row
    }
  }
  return joined
}
