import type { Kysely } from "kysely"
import { clockMargin, type Database, fullResync, renewVersions } from "../../../core/capability.ts"
import type { Schema } from "../../../core/tables.ts"

/**
 * Makes every partner read everything again, because the database was restored or has lost commits. Returns the time up
 * to which a `since` counts as one from before that. Call it in a transaction.
 *
 * 1. Earlier deletions no longer count as known: an earlier `since` gets 410 `resync_required`, and the partner drops
 *    what no longer exists.
 * 2. An earlier `since` gets all records, for partners that do not read deletions.
 * 3. No event's `changed` is earlier than that time, so nobody skips an event as unchanged.
 * 4. Every event gets a new version, so earlier pages, tags and cached records are no longer valid.
 */
export async function requireResync(
  { db, dialect }: { readonly db: Kysely<Schema>; readonly dialect: Database["dialect"] },
): Promise<number> {
  // This comes first: until everything is committed, its rows in the log keep `Next-Since` before the time read next.
  await renewVersions(db, dialect)
  const { now } = await db.selectNoFrom(dialect.now.as("now")).executeTakeFirstOrThrow()
  // The latest `Next-Since` that anyone can have received. A later time would also refuse new ones.
  const reached = now - clockMargin
  await db.updateTable("change_state")
    .set({ complete_since: reached + 1 })
    .where("complete_since", "<", reached + 1)
    .execute()
  const step = db.insertInto("clock_step").values({ reached, back_to: fullResync })
  await dialect.orUpdate(step, "reached", { back_to: fullResync }).execute()
  return reached
}
