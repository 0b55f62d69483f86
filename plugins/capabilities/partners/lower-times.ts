import { type Kysely, sql } from "kysely"
import type { Dialect, Schema } from "../../../core/capability.ts"

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
 * Lowers times of `sync_state` that lie in the future, as the database's clock was set back: nothing that happens now
 * would count as later. What a walk has covered ends where the clock was set back to.
 */
export async function lowerTimes(
  db: Kysely<Schema>,
  { now }: Dialect,
  signal: AbortSignal,
): Promise<void> {
  const [step] = await db
    .selectFrom("clock_step")
    .select((eb) => [now.as("now"), eb.fn.min<number | null>("back_to").as("backTo")])
    .where("reached", ">", now)
    .execute({ signal })
  if (!step || step.backTo === null) return
  const { now: present, backTo } = step
  const lowered = (column: string, to: number) =>
    sql<never>`case when ${sql.ref(column)} > ${present} then ${to} else ${sql.ref(column)} end`
  await db
    .updateTable("sync_state")
    .set({
      ...Object.fromEntries(times.map((column) => [column, lowered(column, present)])),
      completed_next: lowered("completed_next", Math.min(backTo, present)),
      sent_until: lowered("sent_until", Math.min(backTo, present)),
    })
    .where((eb) => eb.or([eb("last_poll", ">", present), eb("completed_next", ">", present)]))
    .execute({ signal })
}
