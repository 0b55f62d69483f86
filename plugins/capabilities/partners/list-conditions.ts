import { type RawBuilder, sql } from "kysely"
import {
  categories,
  type Category,
  defaultSince,
  itemCategories,
  type Reader,
} from "../../../core/capability.ts"
import { type ListState, thresholds } from "./definitions.ts"
import { changingKinds, newestOf } from "./newest-changes.ts"

const { grace, silence, stuckIntervals, abandoned } = thresholds

/** Which lists to read, and the time to judge by, in Unix seconds. */
export interface Selection {
  readonly now: number
  /** Deletions from before are not known. */
  readonly completeSince?: number
  /** Of one account only. */
  readonly accountId?: string | undefined
}

/** Sums up the lists of each account that have the same recommended interval; only those that need a look if wanted. */
export function summedLists(
  { db }: Pick<Reader, "db">,
  { now, completeSince = 0, accountId, isWatched = false }: Selection & {
    readonly isWatched?: boolean
  },
) {
  // Most lists are decided by the first comparisons.
  const stuck = sql`(s.walk_started > s.walk_completed or s.walk_completed is null
    or s.error_at > coalesce(s.last_poll, 0)) and ${isStuck(now)} and ${isCounted(now)}`
  return db
    .selectFrom("sync_state as s")
    .select("s.account_id")
    .select((eb) => [
      eb.fn.min<number | null>("s.poll_interval").as("poll_interval"),
      sql<number>`max(${silentFrom})`.as("silent_from"),
      eb.fn.max<number | null>("s.last_poll").as("last_poll"),
      eb.fn.max<number | null>("s.error_at").as("error_at"),
      eb.fn.max<number | null>("s.walk_completed").as("walk_completed"),
      eb.fn.sum<number>("s.records").as("records"),
      eb.fn.count<number>("s.walk_started").as("lists"),
      sql<number>`sum(case when ${stuck} then 1 else 0 end)`.as("stuck"),
      sql<number | null>`min(case when ${stuck} then
        ${stuckFrom} end)`.as("stuck_since"),
      sql<
        number | null
      >`min(case when s.error_at > coalesce(s.last_poll, 0) then ${troubleFrom} end)`
        .as("trouble_since"),
      sql<number>`sum(case when ${isAhead} and ${isCounted(now)} then 1 else 0 end)`.as("ahead"),
      sql<number>`sum(case when s.skipped_to > 0 then 1 else 0 end)`.as("skipping"),
      sql<number>`sum(case when ${isPartial} and ${isCounted(now)} then 1 else 0 end)`
        .as("partial"),
      sql<number | null>`min(case when s.kind in ('guest deletions', 'item deletions')
        and ${isCounted(now)} then ${forgottenFrom(now, completeSince)} end)`
        .as("oldest_acknowledged"),
    ])
    .$if(accountId !== undefined, (query) => query.where("s.account_id", "=", accountId ?? ""))
    .$if(isWatched, (query) => query.where(sql<boolean>`s.watched = 1`))
    .groupBy(["s.account_id", "s.poll_interval"])
}

/**
 * Returns the last poll of each account by recommended interval, and when it is silent if it sends nothing more. Jumps
 * from interval to interval in an index. Errors since are with the lists that need a look.
 */
export function lastPolls({ db }: Pick<Reader, "db">) {
  const last = db
    .selectFrom("sync_state")
    .select(["account_id", "poll_interval", sql<number | null>`null`.as("error_at")])
    .select((eb) => eb.fn.max<number | null>("last_poll").as("last_poll"))
    .groupBy(["account_id", "poll_interval"])
  return db
    .selectFrom(last.as("s"))
    .select(["s.account_id", "s.poll_interval", "s.last_poll", silentFrom.as("silent_from")])
}

/** Queries for what accounts have acknowledged least of what was deleted: rows of `account_id` and `at`. */
export function acknowledgedLists(
  { db, dialect }: Pick<Reader, "db" | "dialect">,
  { now, completeSince = 0 }: Selection,
) {
  const hour = sql<number>`s.acknowledged_hour`
  const lists = db
    .selectFrom("sync_state as s")
    .modifyFront(dialect.byIndex("s", "sync_state_acknowledged"))
    .select("s.account_id")
    .groupBy("s.account_id")
  return {
    /** Of all lists, exact to an hour. Reads the whole index: MySQL does not jump over computed columns. */
    all: lists.select(sql<number | null>`min(${hour})`.as("at")),
    /** Of those that have acknowledged nothing since a time, but count. */
    before: (edge: number) =>
      db
        .selectFrom("sync_state as s")
        .select("s.account_id")
        .select(sql<number>`min(${forgottenFrom(now, completeSince)})`.as("at"))
        .where(hour, "<", edge)
        .where(sql<boolean>`${isCounted(now)}`)
        .groupBy("s.account_id"),
    /** Of those of some accounts that have acknowledged something since a time, exact to an hour. */
    since: (edge: number, accountIds: readonly string[]) =>
      lists.select(sql<number | null>`min(${hour})`.as("at"))
        .where("s.account_id", "in", accountIds)
        .where(hour, ">=", edge),
  }
}

/** Seconds after which it counts whether anything was deleted since a list has acknowledged something. */
export const longUnacknowledged = 3 * 86_400

/**
 * The time of what a list of deletions loses next: of the first deletion since what it has acknowledged, or now if there
 * is none. If it has acknowledged nothing that early, or if that was forgotten already: what it has acknowledged.
 */
export function forgottenFrom(now: number, completeSince: number) {
  const first = (categories: readonly Category[]) =>
    sql`(select min(d.at) from deletion as d where d.event_id = s.event_id
      and d.category in (${sql.join(categories.map((category) => sql.lit(category)))})
      and d.at >= s.acknowledged)`
  return sql<number | null>`case when s.acknowledged is null
      or s.acknowledged >= ${now - longUnacknowledged} or s.acknowledged < ${completeSince}
      or exists (select 1 from event_version as v where v.event_id = s.event_id and (
        v.forgotten >= s.acknowledged or s.acknowledged <= case s.kind
          when 'guest deletions' then v.forgotten_guests else v.forgotten_items end))
    then s.acknowledged
    else coalesce(case s.kind when 'guest deletions' then ${first(["guests"])}
      else ${first(itemCategories)} end, ${now}) end`
}

const listColumns = ["s.account_id", "s.event_id", "s.prefix", "s.list", "s.family"] as const

/**
 * Returns the lists that still count and have changed since the time that the last completed walk covers. `is_late` is 0
 * for those that are not behind: if only those that are behind are wanted, it is missing like all else that needs no
 * reading then. Reads only indexes, except for lists that have changed.
 */
export function unreadLists(
  reader: Pick<Reader, "db" | "dialect">,
  { now, accountId, isLate = false }: Selection & { readonly isLate?: boolean },
) {
  const covered = reader.dialect.byIndex("s", "sync_state_covered")
  // A kind is a constant in each branch: only then is it looked up in the index.
  const ofKind = (kind: (typeof changingKinds)[number]) =>
    reader.db
      .selectFrom(newestOf(reader, kind, { accountId }).as("newest"))
      .innerJoin("sync_state as s", "s.event_id", "newest.event_id")
      // The statistics of derived tables are poor.
      .$if(accountId === undefined, (query) => query.modifyFront(covered))
      .select(listColumns)
      .select(sql<number>`coalesce(${coveredUntil}, ${now})`.as("behind_from"))
      // Many rows may be returned: reading a value costs as much as finding it.
      .$if(!isLate, (query) =>
        query.select([
          "s.kind",
          "s.completed_next",
          sql<number>`case when ${isBehind(now)} then 1 else 0 end`.as("is_late"),
        ]))
      .where("s.kind", "=", kind)
      .where((eb) =>
        eb.or([
          eb("s.completed_next", "<=", eb.ref("newest.at")),
          eb("s.completed_next", "is", null),
        ])
      )
      .where(sql<boolean>`${isCounted(now)}`)
      .$if(isLate, (query) => query.where(sql<boolean>`${isBehind(now)}`))
      .$if(accountId !== undefined, (query) => query.where("s.account_id", "=", accountId ?? ""))
  const [first, ...others] = changingKinds
  return others.reduce((before, kind) => before.unionAll(ofKind(kind)), ofKind(first))
}

/**
 * Returns the lists of some accounts that still count and lack changes from before the time that the last completed walk
 * covers, because a walk began later than what had been covered before. Without those that are behind anyway.
 */
export function skippingLists(
  { db }: Pick<Reader, "db">,
  { now, accountIds }: { readonly now: number; readonly accountIds: readonly string[] },
) {
  return db
    .selectFrom("sync_state as s")
    .select(listColumns)
    .select(sql<number>`s.skipped_from`.as("behind_from"))
    .where("s.account_id", "in", accountIds)
    .where(sql<boolean>`${lacksSkipped(now)} and ${isCounted(now)}
      and not (${isOverdue(now)} and ${changedSince(sql`s.completed_next`)})`)
}

const every = sql`coalesce(s.poll_interval, ${sql.lit(thresholds.interval)})`
const lastRequest = sql`case when s.error_at > coalesce(s.last_poll, 0) then s.error_at
  else coalesce(s.last_poll, 0) end`

/** The time from which a list is silent: if there is no request until then. */
const silentFrom = sql<number>`${lastRequest} + case
  when ${every} >= ${sql.lit(silence.least / silence.intervals)}
  then ${sql.lit(silence.intervals)} * ${every}
  when ${every} >= ${sql.lit(silence.least / silence.most)} then ${sql.lit(silence.least)}
  else ${sql.lit(silence.most)} * ${every} end`

/**
 * True if a list counts for its partner's state: it was requested in the last two weeks. A list of deletions counts with
 * that of the records.
 */
function isCounted(now: number) {
  const since = now - abandoned
  return sql`(s.last_poll >= ${since} or s.error_at >= ${since}
    or (s.kind in ('guest deletions', 'item deletions') and exists (
      select 1 from sync_state as r where r.account_id = s.account_id and r.event_id = s.event_id
        and r.prefix = s.prefix and r.last_poll >= ${since}
        and r.kind = case s.kind when 'guest deletions' then 'guests' else 'items' end)))`
}

/**
 * The time from which a list may lack what was committed. While a change is open, `completed_next` stays where it was:
 * whoever polls on lacks nothing.
 */
export const coveredUntil = sql<number | null>`case when s.sent_until > s.completed_next
  then s.sent_until else coalesce(s.completed_next, s.sent_until, s.first_started) end`

/** True if the last walk asked for changes since a time in the future. */
const isAhead =
  sql`(s.walk_since > s.walk_started and coalesce(s.walk_completed, 0) <= s.walk_started)`

/**
 * True if the last two walks asked for changes since the same time, and one was sent some that are newer.
 * Whoever asks since the newest that they have asks for those from that second only; and after the clock was set back,
 * the service takes everybody back to the same time.
 */
const isRepeating = sql`(s.since_from <= s.previous_started
  and s.walk_completed >= s.since_from and s.walk_since > ${sql.lit(defaultSince)}
  and ${changedSince(sql`s.walk_since + 1`, sql`s.previous_started`)}
  and not exists (select 1 from clock_step where back_to = s.walk_since))`

/**
 * True if it is not known whether a partner has all of a list: it was read by category, by bucket or by a search only; its
 * first walk has not ended, or began at a later change than the first; or it asks again for what it was sent.
 */
const isPartial = sql`((s.kind <> 'other' and s.last_poll is not null
    and (s.walk_started is null or s.walk_completed is null))
  or (s.skipped_from = 0 and s.skipped_to > 0 and ${changedSince(sql`0`, sql`s.skipped_to`)})
  or ${isRepeating})`

/** The first error since the last page. */
const troubleFrom = sql`case when s.first_error > coalesce(s.last_poll, 0) then s.first_error
  else s.error_at end`

/** Since when a list that is stuck has been. */
const stuckFrom = sql`case when s.error_at > coalesce(s.last_poll, 0) then ${troubleFrom}
  else coalesce(s.walk_completed, s.first_started, s.last_poll) end`

/**
 * True if a partner cannot get on with a list, and still tries:
 *
 * - three walks in a row were begun, or two, the first of them over ten intervals ago, and none was completed
 * - or there were errors and no page since over an interval and a minute
 * - or the last answer said that it must read everything again
 */
function isStuck(now: number) {
  const patience = sql`${sql.lit(stuckIntervals)} * ${every}`
  return sql`(s.third_started > coalesce(s.walk_completed, -1)
      or (s.previous_started > coalesce(s.walk_completed, -1)
        and ${now} - s.previous_started > ${patience})
      or (s.error_at > coalesce(s.last_poll, 0) and s.error_at > ${troubleFrom}
        and ${now} - (${troubleFrom}) > ${every} + ${sql.lit(grace)})
      or (s.error_code = 'resync_required' and s.error_at > coalesce(s.last_poll, 0)
        and s.error_at > coalesce(s.walk_completed, 0)))
    and ${now} <= ${silentFrom}`
}

/**
 * True if a list has changed since the time that its completed walks cover, and that was more than an interval and a
 * minute ago. `newest.at` is the newest change: it may have hidden older ones.
 */
export function isBehind(now: number) {
  return sql`(${isOverdue(now)} and newest.at is not null
    and (s.completed_next is null or newest.at >= s.completed_next))`
}

/** True if what walks of a list cover ends more than an interval and a minute ago. */
function isOverdue(now: number) {
  return sql`${coveredUntil} <= ${now} - ${every} - ${sql.lit(grace)}`
}

/** True if a list has a change, older than a minute, that walks have skipped after the first one. */
export function lacksSkipped(now: number) {
  return sql`(s.skipped_to > 0 and s.skipped_from > 0 and s.skipped_from <= ${now - grace}
    and ${changedSince(sql`s.skipped_from`, sql`s.skipped_to`)})`
}

/** True if a list has a change since a time, and before another one. */
function changedSince(from: RawBuilder<unknown>, before = sql`${sql.lit(2 ** 52)}`) {
  const changed = (table: string, column: string, and = sql``) =>
    sql`exists (select 1 from ${sql.table(table)} as c where c.event_id = s.event_id ${and}
      and ${sql.ref(`c.${column}`)} >= ${from} and ${sql.ref(`c.${column}`)} < ${before})`
  const records = (category: Category) => changed(categories[category], "updated")
  const deletions = (category: Category) =>
    changed("deletion", "at", sql`and c.category = ${sql.lit(category)}`)
  const items = (each: typeof records) => sql.join(itemCategories.map(each), sql` or `)
  return sql`case s.kind
    when 'guests' then ${records("guests")}
    when 'items' then (${items(records)})
    when 'guest deletions' then ${deletions("guests")}
    when 'item deletions' then (${items(deletions)})
    else ${sql.lit(0)} end`
}

/** The state of a list. `failed`: there were only errors. `unread`: it was never asked for, but its records were. */
export function stateOfList(now: number) {
  return sql<ListState>`case when ${isStuck(now)} then 'stuck'
    when ${isBehind(now)} or ${lacksSkipped(now)} then 'behind'
    when s.walk_started is not null and ${now} > ${silentFrom} then 'silent'
    when ${isPartial} then 'partial'
    when s.last_poll is null and s.error_at is not null then 'failed'
    when s.walk_started is null then 'unread'
    else 'in sync' end`
}
