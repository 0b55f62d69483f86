import type { Database, Reader } from "../../data/database.ts"
import { categories } from "../categories.ts"
import { belongingsOf } from "../guests.ts"
import { columnsOf, rowsOf } from "../newest-first.ts"
import type { Projection, Row } from "../projection.ts"
import { joinRows } from "../read-pages.ts"
import { WrongValue } from "../values.ts"
import type { Unknown } from "./cut-page.ts"
import type { LiveRecords } from "./live-records.ts"

/** How records could be loaded: all, some that meanwhile have another version, or some with a wrong column. */
export type Loaded = "all" | "changed" | "wrong"

/** Reads the rows of records, and keeps their JSON on their entries. @throws {Unavailable} */
export async function loadRecords(
  database: Database,
  eventId: string,
  records: LiveRecords,
  unknown: readonly Unknown[],
): Promise<Loaded> {
  let loaded: Loaded = "all"
  for (const { part: { category, projection, number }, entries } of unknown) {
    const wanted = { eventId, projection, table: categories[category] }
    const ids = entries.map(({ id }) => id)
    const rows = await database.readOnce((reader) => readRows(reader, wanted, ids))
    for (const [index, entry] of entries.entries()) {
      const row = rows[index] as Row
      if (row["record"]?.["export_version"] !== entry.version) {
        loaded = "changed"
        continue
      }
      try {
        const text = JSON.stringify(projection.project(row))
        records.list(category).keep(entry, "json", number, text)
      } catch (error) {
        if (error instanceof WrongValue) return "wrong"
        throw error
      }
    }
  }
  return loaded
}

/**
 * Reads records by their ids, with all that belongs to them, in one statement: for a few records, wide look-ups cost less
 * than a snapshot. One that does not exist has no values.
 */
async function readRows(
  reader: Reader,
  { eventId, projection, table }: {
    readonly eventId: string
    readonly projection: Projection
    readonly table: string
  },
  ids: readonly string[],
): Promise<Row[]> {
  const { relations, kinds, ...others } = belongingsOf(projection)
  const tables = { [`${table} as record`]: "id", ...others.tables }
  const own = [...columnsOf(projection, "record"), "record.export_version"]
  const columns = new Set([...own, ...others.columns])
  return await joinRows(reader, ids, [{
    relations: ["record", ...relations],
    kinds,
    query: (ids) => rowsOf(reader, eventId, { tables, columns, ids }),
  }])
}
