import type { Kysely } from "kysely"
import type { Dialect } from "../../../core/capability.ts"
import type { Schema } from "../../../core/tables.ts"
import { judge } from "./deadlines.ts"
import type { SyncRow } from "./definitions.ts"
import { changeFound, type FindLists } from "./sync-rows.ts"

const times = [
  "last_poll",
  "walk_started",
  "walk_since",
  "walk_next",
  "previous_started",
  "third_started",
  "first_started",
  "walk_completed",
  "since_from",
  "acknowledged",
  "acknowledged_at",
  "first_error",
  "error_at",
] as const

/**
 * Lowers times in `sync_state` that lie in the future because the database's clock was set back; otherwise nothing that
 * happens now would count as later. What walks have covered then ends at the time to which the clock was set back.
 */
export async function lowerTimes(
  db: Kysely<Schema>,
  dialect: Dialect,
  signal: AbortSignal,
): Promise<void> {
  const [step] = await db
    .selectFrom("clock_step")
    .select((eb) => [dialect.now.as("now"), eb.fn.min<number | null>("back_to").as("backTo")])
    .where("reached", ">", dialect.now)
    .execute({ signal })
  if (!step || step.backTo === null) return
  const { now } = step
  const end = Math.min(step.backTo, now)
  const find: FindLists = (db, most) =>
    db.selectFrom("sync_state")
      .select(["account_id", "event_id", "prefix", "list", "family", "kind"])
      .where((eb) => eb.or([eb("last_poll", ">", now), eb("completed_next", ">", now)]))
      .limit(most).execute({ signal })
  await changeFound(db, dialect, { find, change: (row) => judge(lower(row, now, end)), signal })
}

/** Returns a row without times after `now`. What its walks have covered then ends at `end`. */
function lower(row: SyncRow, now: number, end: number): SyncRow {
  const lowered = (column: keyof SyncRow, to: number) => {
    const time = row[column]
    return typeof time === "number" && time > now ? [[column, to]] : []
  }
  return {
    ...row,
    ...Object.fromEntries([
      ...times.flatMap((column) => lowered(column, now)),
      ...lowered("completed_next", end),
      ...lowered("sent_until", end),
    ]),
  }
}
