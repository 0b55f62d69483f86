import type { Kysely } from "kysely"
import { clockMargin, type Database, fullResync, renewVersions } from "../../../core/capability.ts"
import type { Schema } from "../../../core/tables.ts"

/**
 * Makes every partner read everything again, because the database was restored, or has lost commits. Returns the time up
 * to which a `since` counts as one from before. Call it in a transaction.
 *
 * 1. No deletion from before counts as known: a `since` from before gets 410 `resync_required`, and the partner
 *    drops what no longer exists.
 * 2. Such a `since` gets all records, for partners who read no deletions.
 * 3. `changed` of every event is not before it, so nobody skips an event as unchanged.
 * 4. Every event gets a new version, so no page, tag or cached record from before counts.
 */
export async function requireResync(
  { db, dialect }: { readonly db: Kysely<Schema>; readonly dialect: Database["dialect"] },
): Promise<number> {
  // First: until all is committed, the rows in the log keep `Next-Since` before the time that is read next.
  await renewVersions(db, dialect)
  const { now } = await db.selectNoFrom(dialect.now.as("now")).executeTakeFirstOrThrow()
  // The latest `Next-Since` that anyone can have got. If this were later, it would also refuse new ones.
  const reached = now - clockMargin
  await db.updateTable("change_state")
    .set({ complete_since: reached + 1 })
    .where("complete_since", "<", reached + 1)
    .execute()
  const step = db.insertInto("clock_step").values({ reached, back_to: fullResync })
  await dialect.orUpdate(step, "reached", { back_to: fullResync }).execute()
  return reached
}
