import type { Database } from "../../../core/capability.ts"
import { readRecords } from "../../../core/lists.ts"
import type { Unknown } from "./cut-page.ts"
import type { LiveRecords } from "./live-records.ts"

/** How loading records ended: with all of them, with changed versions, or with records that pages leave out. */
export type LoadResult = "all" | "changed" | "left out"

/** Reads records, and keeps their JSON on their entries. @throws {Unavailable} */
export async function loadRecords(
  database: Database,
  records: LiveRecords,
  unknown: readonly Unknown[],
): Promise<LoadResult> {
  let loaded: LoadResult = "all"
  const { eventId } = records
  for (const { part: { category, projection, number }, entries } of unknown) {
    const ids = entries.map(({ id }) => id)
    const wanted = { eventId, category, projection, isVersioned: true }
    const found = await database.readOnce((reader) => readRecords(reader, wanted, ids))
    for (const [index, entry] of entries.entries()) {
      const { version, text } = found[index] ?? {}
      if (version !== entry.version) loaded = "changed"
      else if (text === undefined) return "left out"
      else records.list(category).keep(entry, "json", number, text)
    }
  }
  return loaded
}
