import { sql } from "kysely"
import type { Database } from "../../../core/capability.ts"

/** The requests of an account for an event at one endpoint. Times are Unix seconds. */
export interface EventReads {
  /** Null if nobody was logged in. */
  readonly account: string | null
  /** The pattern of the path. */
  readonly route: string | null
  readonly requests: number
  readonly errors: number
  /** Number of records sent. */
  readonly records: number
  readonly first: number
  readonly last: number
}

/** From when, and until when, which is excluded, in Unix seconds. */
export interface Period {
  readonly since: number
  readonly until: number
}

/**
 * Returns who requested lists of an event in a period, from the audit log: by account and endpoint, the latest first.
 * The id is in lower case.
 *
 * @throws {Unavailable}
 */
export async function listReads(
  database: Database,
  eventId: string,
  { since, until }: Period,
): Promise<readonly EventReads[]> {
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
