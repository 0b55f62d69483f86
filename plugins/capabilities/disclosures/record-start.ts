import type { Kysely } from "kysely"
import type { Schema } from "../../../core/tables.ts"

/**
 * Returns the time from which a record can have had an `updated`: the earliest of the `times` that are known of it. It may
 * have begun at any time if one of them is null, as they are in old deletions, or if it seems to begin before the end of a
 * gap.
 */
export function beginOf(times: readonly (number | null)[], gapEnd: number): number {
  const earliest = Math.min(...times.map((time) => time ?? -Infinity))
  return earliest > gapEnd ? earliest : -Infinity
}

/**
 * Returns the end of the last gap, in which a trigger was missing: a record that seems to begin before it may have begun
 * at any time.
 */
export async function findGapEnd(db: Kysely<Schema>): Promise<number> {
  const row = await db.selectFrom("record_start").select("time")
    .where((eb) => eb.and({ event_id: "", category: "", record_id: "" })).executeTakeFirst()
  return row?.time ?? -Infinity
}
