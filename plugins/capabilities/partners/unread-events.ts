import { sql } from "kysely"
import type { Snapshot } from "../../../core/capability.ts"
import { thresholds } from "./definitions.ts"
import type { Selection } from "./list-conditions.ts"

/** Returns how many events that are not over an account may read, and reads no list of any more, if there are any. */
export async function readUnreadEvents(
  { db, run }: Snapshot,
  { now, accountId }: Selection,
): Promise<ReadonlyMap<string, number>> {
  const ofGrants = (column: "id" | "organization_id") =>
    db
      .selectFrom("access_grant as g")
      .innerJoin("event", `event.${column}`, column === "id" ? "g.event_id" : "g.organization_id")
      .select(["g.account_id", "event.id"])
      .where("event.status", "<>", "closed")
      .where("event.created", "<=", now - thresholds.interval - thresholds.grace)
      .where((eb) => eb.or([eb("g.ends", "is", null), eb("g.ends", ">", now)]))
      .where(({ not, exists, selectFrom }) =>
        not(exists(
          selectFrom("sync_state as s").select("s.list")
            .whereRef("s.account_id", "=", "g.account_id").whereRef("s.event_id", "=", "event.id")
            .where("s.last_poll", ">=", now - thresholds.abandoned),
        ))
      )
      .$if(accountId !== undefined, (query) => query.where("g.account_id", "=", accountId ?? ""))
      .$if(accountId === undefined, (query) => query.where(withoutGuests(now)))
  const rows = await run(ofGrants("id").union(ofGrants("organization_id")))
  const byAccount = Map.groupBy(rows, ({ account_id }) => account_id)
  return new Map([...byAccount].map(([id, events]) => [id, events.length]))
}

/**
 * True if an account has not read an event's guests lately. Says nothing new of whoever has read no list, but MySQL reads
 * who has from an index at once, and then looks only the others up.
 */
const withoutGuests = (now: number) =>
  sql<boolean>`not exists (
  select /*+ semijoin(materialization) index(s sync_state_covered) */ s.list
  from event as e inner join sync_state as s on s.event_id = e.id
  where e.status <> 'closed' and s.kind = 'guests'
    and s.completed_next >= ${now - thresholds.abandoned} and s.account_id = g.account_id
    and s.event_id = event.id)`
