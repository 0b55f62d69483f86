import { sql } from "kysely"
import { type Category, itemCategories, type Snapshot } from "../../../core/capability.ts"
import { byFilter, type ListFilter, placeOf, timesOf } from "./list-filters.ts"
import { changingKinds, newestOf } from "./newest-changes.ts"
import type { ListKind } from "./tables.ts"

/** Which lists to read, and the time to judge by, in Unix seconds. */
export interface Selection {
  readonly now: number
  /** The current and former filters of lists of guests. */
  readonly filters: readonly ListFilter[]
  /** Selects the lists of this account only. */
  readonly accountId?: string | undefined
}

/** Returns the lists that still count and are in doubt, with the columns that decide their state. */
export function doubtfulLists(
  { db }: Pick<Snapshot, "db">,
  { now, filters, accountId }: Selection,
) {
  return db
    .selectFrom("sync_state as s")
    .selectAll("s")
    .select(isGapFilled(filters).as("is_gap_filled"))
    .where("s.in_doubt", "=", 1)
    .where(isCounted(now))
    .$if(accountId !== undefined, (query) => query.where("s.account_id", "=", accountId ?? ""))
}

/**
 * Returns the lists that still count and have changes that no completed walk covers. `is_late` is 0 if the partner
 * still has time to fetch these; `filter` is the index of the list's filter, or -1. Reads only indexes, except for
 * lists that have changed.
 */
export function unreadLists(
  reader: Pick<Snapshot, "db" | "dialect">,
  { now, filters, accountId }: Selection,
) {
  const withDepartures = filters.length > 0
  const covered = reader.dialect.byIndex("s", "sync_state_completed")
  // Each branch has its kind as a constant, so that the index can be used.
  const ofKind = (kind: (typeof changingKinds)[number]) =>
    reader.db
      .selectFrom(newestOf(reader, kind, { accountId, withDepartures }).as("newest"))
      .innerJoin("sync_state as s", "s.event_id", "newest.event_id")
      // The optimizer lacks statistics for derived tables.
      .$if(accountId === undefined, (query) => query.modifyFront(covered))
      .select(["s.account_id", "s.event_id", "s.prefix", "s.list", "s.family", "s.kind"])
      .select(["s.completed_next", "s.covered_until as behind_from"])
      .select(["s.last_poll", "s.poll_interval", "s.since_from", "s.sent_until"])
      .select(["s.walk_started", "s.walk_since", "s.walk_completed"])
      .select(sql<number>`case when s.late_from <= ${now} then 1 else 0 end`.as("is_late"))
      .select(placeOf(filters).as("filter"))
      .where("s.kind", "=", kind)
      .where((eb) =>
        eb.or([
          eb("s.completed_next", "<=", eb.ref("newest.at")),
          eb("s.completed_next", "is", null),
        ])
      )
      .where(isCounted(now))
      // The event's newest change may concern a guest who was never on the list.
      .$if(withDepartures && kind.startsWith("guest"), (query) =>
        query.where(byFilter(filters, (filter) =>
          sql<boolean>`exists ${
            timesOf({ kind, category: "guests", filter }, { from: "completed_next" })
          }`)))
      .$if(accountId !== undefined, (query) =>
        query.where("s.account_id", "=", accountId ?? ""))
  const [first, ...others] = changingKinds
  return others.reduce((before, kind) => before.unionAll(ofKind(kind)), ofKind(first))
}

/**
 * True if a list counts for its partner's state: it was requested in the last two weeks. A list of deletions counts as
 * long as its list of records.
 */
export function isCounted(now: number) {
  return sql<boolean>`(s.counted_until >= ${now}
    or (s.kind in ('guest deletions', 'item deletions') and exists (
      select 1 from sync_state as r where r.account_id = s.account_id and r.event_id = s.event_id
        and r.prefix = s.prefix and r.counted_until >= ${now}
        and r.kind = case s.kind when 'guest deletions' then 'guests' else 'items' end)))`
}

/**
 * 1 if something has changed in a list's gap. After the clock was set back, the service takes every client back to the
 * same time: repeating that `since` is not a sign of a gap.
 */
export function isGapFilled(filters: readonly ListFilter[]) {
  return sql<number>`case when s.gap_to is not null and ${changedInGap(filters)}
    and not exists (select 1 from clock_step where back_to = s.walk_since and s.gap_from = back_to + 1)
    then 1 else 0 end`
}

function changedInGap(filters: readonly ListFilter[]) {
  const gap = { from: "gap_from", before: "gap_to" } as const
  const changed = (kind: ListKind, category: Category, filter?: ListFilter["filter"]) =>
    sql<boolean>`exists ${timesOf({ kind, category, filter }, gap)}`
  const guests = (kind: ListKind) => byFilter(filters, (filter) => changed(kind, "guests", filter))
  const items = (kind: ListKind) =>
    sql.join(itemCategories.map((category) => changed(kind, category)), sql` or `)
  return sql`case s.kind
    when 'guests' then ${guests("guests")}
    when 'items' then (${items("items")})
    when 'guest deletions' then ${guests("guest deletions")}
    when 'item deletions' then (${items("item deletions")})
    else ${sql.lit(0)} end`
}
