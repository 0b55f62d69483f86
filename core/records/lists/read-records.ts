import type { Reader } from "../../data/database.ts"
import { makeRecord } from "../bytes/write-records.ts"
import { categories } from "../kinds/categories.ts"
import type { OmittedRecord } from "../kinds/values.ts"
import { joinInOrder } from "./read-pages.ts"
import { queryRows, recordsIn, type RecordsQuery } from "./rows-by-id.ts"
import { searchedText } from "./search.ts"

/** A record that was read by its id. */
interface FoundRecord {
  /** Its JSON, exactly as in lists; undefined if lists omit it. */
  readonly text: string | undefined
  /** Why lists omit it. */
  readonly leftOut?: OmittedRecord | undefined
  /** Its version, if requested; null if there is no such record. */
  readonly version?: unknown
}

/**
 * Reads records of a category by their ids, with everything that belongs to them, in one statement; in the order of the
 * ids.
 * @throws {Unavailable}
 */
export async function readRecords(
  reader: Reader,
  query: RecordsQuery,
  ids: readonly string[],
): Promise<readonly FoundRecord[]> {
  const { projection } = query
  const rows = await joinInOrder(reader, ids, [recordsIn(reader, query)])
  return rows.map((row, place) => {
    const { record, leftOut } = makeRecord(projection, ids[place] as string, row)
    const version = row["record"]?.["export_version"]
    return { text: record && JSON.stringify(record), leftOut, version }
  })
}

/**
 * Reads what `q` searches of records, and their versions. The caller folds them, because that takes time. @throws
 * {Unavailable}
 */
export async function readSearched(
  reader: Reader,
  { eventId, category, projection: { searched } }: RecordsQuery,
  ids: readonly string[],
) {
  const rows = await reader.run(queryRows(reader, eventId, {
    tables: { [`${categories[category]} as record`]: "id" },
    columns: [...searched, "record.export_version"],
    ids,
  }))
  return rows.map((row) => ({
    /** The place of the record among the ids, from 0. */
    place: row.place - 1,
    version: row["export_version"],
    fold: () => searchedText(row, searched),
  }))
}
