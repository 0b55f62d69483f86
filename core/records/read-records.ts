import type { Reader } from "../data/database.ts"
import { categories, type Category } from "./categories.ts"
import { belongingsOf } from "./guests.ts"
import { columnsOf, rowsOf } from "./newest-first.ts"
import type { Projection } from "./projection.ts"
import { joinInOrder } from "./read-pages.ts"
import { searchedText } from "./search.ts"
import { WrongValue } from "./values.ts"

/** Records whose ids are known. */
interface RecordsQuery {
  readonly eventId: string
  readonly category: Category
  readonly projection: Projection
  /** True to read their versions, which only views may lack. */
  readonly isVersioned?: boolean
}

/** A record that was read by its id. */
interface FoundRecord {
  /** Its JSON, exactly as lists have it; undefined if they leave it out. */
  readonly text: string | undefined
  /** The column for which they leave it out. */
  readonly column?: string
  /** Its version, if that was asked for; null if there is no such record. */
  readonly version?: unknown
}

/**
 * Reads records of a category by their ids, with all that belongs to them, in one statement; in the order of the ids.
 * @throws {Unavailable}
 */
export async function readRecords(
  reader: Reader,
  { eventId, category, projection, isVersioned = false }: RecordsQuery,
  ids: readonly string[],
): Promise<readonly FoundRecord[]> {
  const { relations, kinds, ...others } = belongingsOf(projection)
  const tables = { [`${categories[category]} as record`]: "id", ...others.tables }
  const version = isVersioned ? ["record.export_version"] : []
  const columns = new Set([...columnsOf(projection, "record"), ...version, ...others.columns])
  const rows = await joinInOrder(reader, ids, [{
    relations: ["record", ...relations],
    kinds,
    query: (ids) => rowsOf(reader, eventId, { tables, columns, ids }),
  }])
  return rows.map((row) => {
    const version = row["record"]?.["export_version"]
    try {
      return { text: JSON.stringify(projection.project(row)), version }
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error
      return { text: undefined, column: error.column, version }
    }
  })
}

/** Reads what `q` searches of records, and their versions. Folding takes time, so it is left to the caller. @throws {Unavailable} */
export async function readSearched(
  reader: Reader,
  { eventId, category, projection: { searched } }: RecordsQuery,
  ids: readonly string[],
) {
  const rows = await reader.run(rowsOf(reader, eventId, {
    tables: { [`${categories[category]} as record`]: "id" },
    columns: [...searched, "record.export_version"],
    ids,
  }))
  return rows.map((row) => ({
    /** The place of the record among the ids, from 0 on. */
    place: row.place - 1,
    version: row["export_version"],
    fold: () => searchedText(row, searched),
  }))
}
