import { type Database, deleteInPortions } from "../../../core/capability.ts"

/** How long a list without a request, and what was done in an hour, are remembered, in seconds. */
const retention = 90 * 86_400

/**
 * Deletes lists that were not requested for 90 days, and hours as old as that. Returns how many rows. Stops after the
 * running statement when `signal` aborts.
 */
export async function prunePartners(
  { background, dialect }: Database,
  signal?: AbortSignal,
): Promise<number> {
  const lists = await deleteInPortions(background, {
    find: (limit) =>
      background
        .selectFrom("sync_state")
        .select(["account_id", "event_id", "prefix", "list"])
        .where((eb) =>
          eb(eb.fn.coalesce("last_poll", eb.lit(0)), "<", eb(dialect.now, "-", retention))
        )
        .where((eb) =>
          eb(eb.fn.coalesce("error_at", eb.lit(0)), "<", eb(dialect.now, "-", retention))
        )
        .orderBy("account_id").orderBy("event_id").orderBy("prefix").orderBy("list")
        .limit(limit)
        .execute(),
    remove: (db, { account_id, event_id, prefix, list }) =>
      db
        .deleteFrom("sync_state")
        .where("account_id", "=", account_id)
        .where("event_id", "=", event_id)
        .where("prefix", "=", prefix)
        .where("list", "=", list)
        .execute(),
  }, signal)
  const hours = await deleteInPortions(background, {
    find: (limit) =>
      background
        .selectFrom("partner_hour")
        .select(["account_id", "hour"])
        .where((eb) => eb("hour", "<", eb(dialect.now, "-", retention)))
        .orderBy("hour")
        .limit(limit)
        .execute(),
    remove: (db, { account_id, hour }) =>
      db
        .deleteFrom("partner_hour")
        .where("account_id", "=", account_id)
        .where("hour", "=", hour)
        .execute(),
  }, signal)
  return lists + hours
}
