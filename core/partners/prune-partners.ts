import type { Database } from "../data/database.ts"
import { deleteInPortions } from "../data/delete-in-portions.ts"

/** How long a list without a request, and what was done in an hour, are remembered, in seconds. */
const retention = 90 * 86_400

/**
 * Deletes lists that nobody has requested for 90 days, hours as old as that, and what belongs to accounts that are
 * gone. Returns how many rows. Stops after the running statement when `signal` aborts.
 */
export async function prunePartners(
  { background, dialect }: Database,
  signal?: AbortSignal,
): Promise<number> {
  const lists = await deleteInPortions(background, {
    find: (limit) =>
      background
        .selectFrom("sync_state as s")
        .leftJoin("account", "account.id", "s.account_id")
        .select(["s.account_id", "s.event_id", "s.prefix", "s.list"])
        .where((eb) =>
          eb.or([
            eb("account.id", "is", null),
            eb.and([
              eb(eb.fn.coalesce("s.last_poll", eb.lit(0)), "<", eb(dialect.now, "-", retention)),
              eb(eb.fn.coalesce("s.error_at", eb.lit(0)), "<", eb(dialect.now, "-", retention)),
            ]),
          ])
        )
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
        .selectFrom("partner_hour as h")
        .leftJoin("account", "account.id", "h.account_id")
        .select(["h.account_id", "h.hour"])
        .where((eb) =>
          eb.or([
            eb("account.id", "is", null),
            eb("h.hour", "<", eb(dialect.now, "-", retention)),
          ])
        )
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
