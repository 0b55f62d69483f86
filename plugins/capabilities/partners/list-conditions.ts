import { sql } from "kysely"
import type { Reader } from "../../../core/capability.ts"
import { type ListState, thresholds } from "./definitions.ts"
import { changingKinds, newestOf } from "./newest-changes.ts"

const { grace, silence, stuckIntervals, abandoned } = thresholds

/** Which lists to read, and the time to judge by, in Unix seconds. */
export interface Selection {
  readonly now: number
  /** Of one account only. */
  readonly accountId?: string | undefined
}

/** Sums up the lists of each account. */
export function summedLists({ db }: Pick<Reader, "db">, { now, accountId }: Selection) {
  // Most lists are decided by the first comparisons.
  const stuck = sql`(s.walk_started > s.walk_completed or s.walk_completed is null
    or s.error_at > s.last_poll) and ${isStuck(now)} and ${isCounted(now)}`
  return db
    .selectFrom("sync_state as s")
    .select("s.account_id")
    .select((eb) => [
      eb.fn.min<number | null>("s.poll_interval").as("poll_interval"),
      // Lists with a short interval are all silent after the same time.
      sql<number | null>`max(case when ${isShort} then ${silentFrom} end)`.as("silent_from"),
      sql<number | null>`max(case when ${isShort} then null else ${silentFrom} end)`
        .as("long_silent_from"),
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
 * is 1 for those that are behind. Reads only indexes, except for the lists that it returns.
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
        sql<number>`case when ${isBehind(now)} then 1 else 0 end`.as("is_late"),
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

/** The time from which a list is silent: if there is no request until then. */
const silentFrom = sql<number>`${lastRequest} + case when ${isShort} then ${sql.lit(silence.least)}
  else ${sql.lit(silence.intervals)} * ${every} end`

/** True if a list counts for its partner's state: it was requested in the last two weeks. */
function isCounted(now: number) {
  return sql`(s.last_poll >= ${now - abandoned} or s.error_at >= ${now - abandoned})`
}

/**
 * True if a partner cannot get on with a list, and still tries:
 *
 * - three walks in a row were begun, or two, the first of them over ten intervals ago, and none was completed
 * - or for ten intervals there were errors and no page, or there never was a page
 */
function isStuck(now: number) {
  const patience = sql`${sql.lit(stuckIntervals)} * ${every}`
  return sql`(s.third_started > coalesce(s.walk_completed, -1)
      or (s.previous_started > coalesce(s.walk_completed, -1)
        and ${now} - s.previous_started > ${patience})
      or (s.error_at > s.last_poll and ${now} - s.last_poll > ${patience})
      or (s.last_poll is null and s.error_at - s.first_error > ${patience}))
    and ${now} <= ${silentFrom}`
}

/**
 * True if a list has changed since the time that the last completed walk covers, and the partner has had an interval and
 * a minute for the newest change, which is `newest.at`.
 */
export function isBehind(now: number) {
  return sql`(s.walk_started is not null
    and newest.at <= ${now} - ${every} - ${sql.lit(grace)}
    and (s.completed_next is null or newest.at >= s.completed_next))`
}

/** The state of a list. `failed`: there were only errors. `unread`: no walk has begun, there were only searches. */
export function stateOfList(now: number) {
  return sql<ListState>`case when ${isStuck(now)} then 'stuck'
    when s.last_poll is null then 'failed'
    when s.walk_started is null then 'unread'
    when ${isBehind(now)} then 'behind'
    when ${now} > ${silentFrom} then 'silent'
    else 'in sync' end`
}
