import { sql } from "kysely"
import { findWatermark } from "../../core/change-log/watermark.ts"
import type { Database } from "../../core/data/database.ts"

/** Moves up what is settled, as a service does once a second. */
export async function settle(database: Database): Promise<void> {
  // A look in the same second as the one before would write nothing.
  await sql`update change_state set clock = clock - 1 where clock > 0`.execute(database.background)
  await findWatermark(database)
}

/**
 * Notes that all changes are settled, while none is open. Looks would find that out as well, after two minutes if
 * numbers are missing: those of a transaction that was rolled back.
 */
export async function settleAll(database: Database): Promise<void> {
  await sql`update change_state set settled = coalesce((select max(seq) from event_change), 0)`
    .execute(database.writer)
}
