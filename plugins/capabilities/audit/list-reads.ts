import { sql } from "kysely"
import type { Database } from "../../../core/capability.ts"

/**
 * Returns who requested lists of an event in a period, from the audit log: by account and endpoint, the latest first.
 * The id is in lower case. Times are Unix seconds; `until` is excluded.
 *
 * @throws {Unavailable}
 */
export async function listReads(
  database: Database,
  eventId: string,
  { since, until }: { readonly since: number; readonly until: number },
) {
  return await database.snapshot(({ db, run }) =>
    run(
      db
        .selectFrom("audit_log")
        .select(["account", "route"])
        .select((eb) => [
          eb.fn.countAll<number>().as("requests"),
          sql<number>`sum(case when status >= 400 then 1 else 0 end)`.as("errors"),
          sql<number>`coalesce(sum(sent), 0)`.as("records"),
          eb.fn.min<number>("at").as("first"),
          eb.fn.max<number>("at").as("last"),
        ])
        .where("event_id", "=", eventId)
        .where("at", ">=", since)
        .where("at", "<", until)
        .groupBy(["account", "route"])
        .orderBy("last", "desc"),
    )
  )
}
