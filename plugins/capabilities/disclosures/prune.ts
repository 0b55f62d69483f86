import { sql } from "kysely"
import type { Database } from "../../../core/capability.ts"
import { deleteOld } from "../../../core/tables.ts"

/**
 * Deletes ranges of records that were last sent before a number of days, and notices from before. Returns how
 * many. Stops after the running statement when `signal` aborts.
 */
export async function pruneDisclosures(
  { background, dialect }: Database,
  days: number,
  signal?: AbortSignal,
): Promise<number> {
  const sentBefore = (column: "last_at" | "at") => ({
    key: ["seq"] as const,
    isOld: sql`${sql.ref(column)} < ${dialect.now} - ${days * 86_400}`,
  })
  return await deleteOld(background, { table: "disclosure", ...sentBefore("last_at") }, signal) +
    await deleteOld(background, { table: "erasure_notice", ...sentBefore("at") }, signal)
}
