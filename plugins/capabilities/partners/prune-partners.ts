import { sql } from "kysely"
import type { Database } from "../../../core/capability.ts"
import { deleteOld } from "../../../core/tables.ts"

/** Seconds for which a list without a request is remembered. */
const retention = 90 * 86_400

/**
 * Deletes lists that were not requested for 90 days, and forgets last requests. Returns the number of deleted rows.
 * Once `signal` aborts, stops after the running statement.
 */
export async function prunePartners(
  { background, dialect }: Database,
  signal?: AbortSignal,
): Promise<number> {
  const before = sql<number>`${dialect.now} - ${retention}`
  await background.updateTable("account_activity").set({ listed: null, listed_address: null })
    .where("listed", "<", before).execute()
  return await deleteOld(background, {
    table: "sync_state",
    key: ["account_id", "event_id", "prefix", "list"],
    // A walk of all records also completes the list of their deletions, which may never be requested.
    isOld: sql`coalesce(last_poll, 0) < ${before} and coalesce(error_at, 0) < ${before}
      and coalesce(walk_completed, 0) < ${before}`,
    inOrder: true,
  }, signal)
}
