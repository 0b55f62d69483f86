import { sql } from "kysely"
import type { Snapshot } from "../../../core/capability.ts"
import { thresholds } from "./definitions.ts"
import type { Selection } from "./list-conditions.ts"

/** Returns how many events that are not over an account may read, and reads no list of any more, if there are any. */
export async function readUnreadEvents(
  snapshot: Snapshot,
  { now, accountId }: Selection,
): Promise<ReadonlyMap<string, number>> {
  const { db, run } = snapshot
  const accountIds = accountId === undefined ? await findSuspects(snapshot, now) : [accountId]
  if (accountIds.length === 0) return new Map()
  const ofGrants = (column: "id" | "organization_id") =>
    db
      .selectFrom("access_grant as g")
      .innerJoin("event", `event.${column}`, column === "id" ? "g.event_id" : "g.organization_id")
      .select(["g.account_id", "event.id"])
      .where("g.account_id", "in", accountIds)
      .where(isOpen(now))
      .where((eb) => eb.or([eb("g.ends", "is", null), eb("g.ends", ">", now)]))
      .where(({ not, exists, selectFrom }) =>
        not(exists(
          selectFrom("sync_state as s").select("s.list")
            .whereRef("s.account_id", "=", "g.account_id").whereRef("s.event_id", "=", "event.id")
            .where("s.last_poll", ">=", now - thresholds.abandoned),
        ))
      )
      .$if(accountId === undefined, (query) => query.where(withoutGuests(now)))
  const rows = await run(ofGrants("id").union(ofGrants("organization_id")))
  const byAccount = Map.groupBy(rows, ({ account_id }) => account_id)
  return new Map([...byAccount].map(([id, events]) => [id, events.length]))
}

/**
 * Finds the accounts that may leave out an event. Whoever has read the guests of as many events of an organization lately
 * as it has leaves out none of them: this only counts in an index. All who have grants for single events are suspects.
 */
async function findSuspects({ db, dialect, run }: Snapshot, now: number): Promise<string[]> {
  const all = db
    .selectFrom("event")
    .select(["event.organization_id", sql<number>`count(*)`.as("count")])
    .where(isOpen(now))
    .groupBy("event.organization_id")
  const read = db
    .selectFrom("event")
    // SQLite reads the tables of a cross join in this order.
    .crossJoin("sync_state as s")
    .modifyFront(dialect.byIndex("s", "sync_state_completed"))
    .select(["s.account_id", "event.organization_id"])
    .select(sql<number>`count(distinct s.event_id)`.as("count"))
    .where(sql<boolean>`s.event_id = event.id and s.kind = 'guests'
      and s.completed_next >= ${now - thresholds.abandoned} and ${isOpen(now)}`)
    .groupBy(["s.account_id", "event.organization_id"])
  const rows = await run(
    db
      .selectFrom("access_grant as g")
      .leftJoin(all.as("a"), "a.organization_id", "g.organization_id")
      .leftJoin(read.as("r"), (join) =>
        join.onRef("r.account_id", "=", "g.account_id")
          .onRef("r.organization_id", "=", "g.organization_id"))
      .select("g.account_id")
      .distinct()
      .where(sql<boolean>`(g.ends is null or g.ends > ${now})
        and (g.event_id is not null or a.count > coalesce(r.count, 0))`),
  )
  return rows.map(({ account_id }) => account_id)
}

/** True of events that are not over, and are there for long enough to be read. */
const isOpen = (now: number) =>
  sql<boolean>`event.status <> 'closed'
    and event.created <= ${now - thresholds.interval - thresholds.grace}`

/**
 * True if an account has not read an event's guests lately. Says nothing new of whoever has read no list, but MySQL reads
 * who has from an index at once, and then looks only the others up.
 */
const withoutGuests = (now: number) =>
  sql<boolean>`not exists (
  select /*+ semijoin(materialization) index(s sync_state_completed) */ s.list
  from event as e inner join sync_state as s on s.event_id = e.id
  where e.status <> 'closed' and s.kind = 'guests'
    and s.completed_next >= ${now - thresholds.abandoned} and s.account_id = g.account_id
    and s.event_id = event.id)`
