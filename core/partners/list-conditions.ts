import { sql } from "kysely"
import type { Reader } from "../data/database.ts"
import { thresholds } from "./definitions.ts"
import { newestChanges } from "./newest-changes.ts"

const { interval, grace, silence, stuckIntervals, abandoned } = thresholds

/**
 * Returns the lists of all accounts with what `definitions.ts` says of each, as conditions that are 1 or 0, so that
 * the database can sum them up. A test compares the two.
 *
 * Lists of events that the account has no grant for are neither stuck nor behind: it cannot read them.
 */
export function judgedLists(
  reader: Pick<Reader, "db">,
  { now, accountId }: { readonly now: number; readonly accountId: string | undefined },
) {
  const { db } = reader
  const named = db
    .selectFrom("sync_state as s")
    .leftJoin(
      newestChanges(reader).as("newest"),
      (join) =>
        join.onRef("newest.event_id", "=", "s.event_id").onRef("newest.kind", "=", "s.kind"),
    )
    .select([
      "s.account_id",
      "s.event_id",
      "s.prefix",
      "s.list",
      "s.kind",
      "s.poll_interval",
      "s.last_poll",
      "s.error_at",
      "s.walk_started",
      "s.walk_completed",
      "s.previous_started",
      "s.third_started",
      "s.acknowledged",
      "s.records",
      "newest.at as newest",
      sql<number>`coalesce(s.poll_interval, ${sql.lit(interval)})`.as("every"),
      sql<number>`case when coalesce(s.error_at, 0) > coalesce(s.last_poll, 0) then s.error_at
        else coalesce(s.last_poll, 0) end`.as("last_request"),
      sql<number | null>`case
        when s.walk_completed is null then null
        when s.completed_next is not null then s.completed_next
        when s.walk_started <= s.walk_completed then s.walk_next
        when s.previous_started <= s.walk_completed then s.previous_started
        else s.third_started end`.as("covered"),
    ])
    .$if(accountId !== undefined, (query) => query.where("s.account_id", "=", accountId ?? ""))
  const hasGrant = sql`exists (select 1 from access_grant as g where g.account_id = l.account_id
    and (g.ends is null or g.ends > ${now}) and (g.event_id = l.event_id or g.organization_id =
      (select e.organization_id from event as e where e.id = l.event_id)))`
  const isCounted = sql`l.last_request >= ${now - abandoned}`
  const isHeard = sql`${now} <= l.last_request + case when ${sql.lit(silence.intervals)} * l.every >
    ${sql.lit(silence.least)} then ${sql.lit(silence.intervals)} * l.every
    else ${sql.lit(silence.least)} end`
  const patience = sql`${sql.lit(stuckIntervals)} * l.every`
  const isStuck = sql`(l.third_started > coalesce(l.walk_completed, -1)
    or (l.previous_started > coalesce(l.walk_completed, -1)
      and ${now} - l.previous_started > ${patience})
    or (l.error_at > l.last_poll and ${now} - l.last_poll > ${patience}))`
  const isBehind = sql`(l.newest >= coalesce(l.covered, 0)
    and l.newest <= ${now} - l.every - ${sql.lit(grace)})`
  const isStuckList = sql`l.walk_started is not null and ${isCounted} and ${isHeard}
    and ${isStuck} and (l.event_id = '' or ${hasGrant})`
  const isBehindList = sql`l.walk_started is not null and ${isCounted}
    and ${isBehind} and ${hasGrant}`
  const judged = db
    .selectFrom(named.as("l"))
    .selectAll("l")
    .select([
      sql<number>`case when ${isStuckList} then 1 else 0 end`.as("stuck"),
      sql<number>`case when ${isBehindList} then 1 else 0 end`.as("behind"),
      sql<number>`case when ${isCounted} then 1 else 0 end`.as("counted"),
    ])
  return db
    .selectFrom(judged.as("j"))
    .selectAll("j")
    .select([
      sql<number | null>`case when j.behind = 1
        then coalesce(j.covered, j.third_started, j.previous_started, j.walk_started) end`
        .as("behind_from"),
      sql<number | null>`case when j.stuck = 1
        then coalesce(j.walk_completed, j.third_started, j.previous_started, j.last_poll) end`
        .as("stuck_since"),
      sql<number | null>`case when j.counted = 1
        and j.kind in ('guest deletions', 'item deletions') then j.acknowledged end`
        .as("oldest_acknowledged"),
    ])
}
