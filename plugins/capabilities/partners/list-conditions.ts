import { sql } from "kysely"
import type { Reader } from "../../../core/capability.ts"
import { thresholds } from "./definitions.ts"
import { changingKinds, newestOf } from "./newest-changes.ts"

const { grace, silence, stuckIntervals, abandoned } = thresholds

/** Which lists to read, and the time to judge by, in Unix seconds. */
interface Selection {
  readonly now: number
  /** Of one account only. */
  readonly accountId?: string | undefined
}

/** Sums up the lists of each account. Says which are stuck as `definitions.ts` does: a test compares the two. */
export function summedLists({ db }: Pick<Reader, "db">, { now, accountId }: Selection) {
  // Most lists are decided by the first comparisons.
  const stuck = sql`(s.walk_started > s.walk_completed or s.walk_completed is null
    or s.error_at > s.last_poll) and ${isStuck(now)}`
  return db
    .selectFrom("sync_state as s")
    .select("s.account_id")
    .select((eb) => [
      eb.fn.min<number | null>("s.poll_interval").as("poll_interval"),
      // Lists with a short interval are all silent after the same time.
      sql<number | null>`max(case when ${isShort} then ${lastRequest} end) + ${
        sql.lit(silence.least)
      }`.as("silent_from"),
      sql<number | null>`max(case when ${isShort} then null
        else ${lastRequest} + ${sql.lit(silence.intervals)} * s.poll_interval end)`.as(
        "long_silent_from",
      ),
      eb.fn.max<number | null>("s.last_poll").as("last_poll"),
      eb.fn.max<number | null>("s.error_at").as("error_at"),
      eb.fn.max<number | null>("s.walk_completed").as("walk_completed"),
      eb.fn.sum<number>("s.records").as("records"),
      eb.fn.count<number>("s.walk_started").as("lists"),
      sql<number>`sum(case when ${stuck} then 1 else 0 end)`.as("stuck"),
      sql<number | null>`min(case when ${stuck} then
        coalesce(s.walk_completed, s.first_started, s.last_poll, s.first_error) end)`
        .as("stuck_since"),
      sql<number | null>`min(case when s.kind in ('guest deletions', 'item deletions')
        and ${isCounted(now)} then s.acknowledged end)`.as("oldest_acknowledged"),
    ])
    .$if(accountId !== undefined, (query) => query.where("s.account_id", "=", accountId ?? ""))
    .groupBy("s.account_id")
}

/**
 * Returns the lists that still count and have changed since the time that the last completed walk covers; `is_late`
 * is 1 for those that are behind, as `definitions.ts` says it: a test compares the two. Reads only indexes, except
 * for the lists that it returns.
 */
export function unreadLists(reader: Pick<Reader, "db">, { now, accountId }: Selection) {
  // A kind is a constant in each branch: only then is it looked up in the index.
  const ofKind = (kind: (typeof changingKinds)[number]) =>
    reader.db
      .selectFrom(newestOf(reader, kind).as("newest"))
      .innerJoin("sync_state as s", "s.event_id", "newest.event_id")
      .select([
        "s.account_id",
        "s.event_id",
        "s.prefix",
        "s.list",
        "s.family",
        "s.kind",
        "s.completed_next",
        sql<number | null>`coalesce(s.completed_next, s.first_started)`.as("behind_from"),
        sql<number>`case when s.walk_started is not null
          and newest.at <= ${now} - ${every} - ${sql.lit(grace)} then 1 else 0 end`.as("is_late"),
      ])
      .where("s.kind", "=", kind)
      .where((eb) =>
        eb.or([
          eb("s.completed_next", "<=", eb.ref("newest.at")),
          eb("s.completed_next", "is", null),
        ])
      )
      .where(sql<boolean>`${isCounted(now)}`)
      .$if(accountId !== undefined, (query) => query.where("s.account_id", "=", accountId ?? ""))
  const [first, ...others] = changingKinds
  return others.reduce((before, kind) => before.unionAll(ofKind(kind)), ofKind(first))
}

const every = sql`coalesce(s.poll_interval, ${sql.lit(thresholds.interval)})`
const lastRequest = sql`case when s.error_at > coalesce(s.last_poll, 0) then s.error_at
  else coalesce(s.last_poll, 0) end`

const isShort = sql`${every} <= ${sql.lit(silence.least / silence.intervals)}`

function isCounted(now: number) {
  return sql`(s.last_poll >= ${now - abandoned} or s.error_at >= ${now - abandoned})`
}

/** An active list that the partner gets nowhere with. */
function isStuck(now: number) {
  const patience = sql`${sql.lit(stuckIntervals)} * ${every}`
  const silentAfter = sql`case when ${sql.lit(silence.intervals)} * ${every} > ${
    sql.lit(silence.least)
  } then ${sql.lit(silence.intervals)} * ${every} else ${sql.lit(silence.least)} end`
  return sql`(s.third_started > coalesce(s.walk_completed, -1)
      or (s.previous_started > coalesce(s.walk_completed, -1)
        and ${now} - s.previous_started > ${patience})
      or (s.error_at > s.last_poll and ${now} - s.last_poll > ${patience})
      or (s.last_poll is null and s.error_at - s.first_error > ${patience}))
    and ${isCounted(now)} and ${now} <= ${lastRequest} + ${silentAfter}`
}
