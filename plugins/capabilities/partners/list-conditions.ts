import { type RawBuilder, sql } from "kysely"
import {
  categories,
  type Category,
  itemCategories,
  type Snapshot,
} from "../../../core/capability.ts"
import { changingKinds, newestOf } from "./newest-changes.ts"

/** Which lists to read, and the time to judge by, in Unix seconds. */
export interface Selection {
  readonly now: number
  /** Of one account only. */
  readonly accountId?: string | undefined
}

/** Returns the lists that still count and need a look, with what decides about them. */
export function doubtfulLists({ db }: Pick<Snapshot, "db">, { now, accountId }: Selection) {
  return db
    .selectFrom("sync_state as s")
    .selectAll("s")
    .select(isGapFilled.as("is_gap_filled"))
    .where("s.in_doubt", "=", 1)
    .where(isCounted(now))
    .$if(accountId !== undefined, (query) => query.where("s.account_id", "=", accountId ?? ""))
}

/**
 * Returns the lists that still count and have changed since the time that the last completed walk covers. `is_late` is 0
 * for those whose time to fetch that is not over. Reads only indexes, except for lists that have changed.
 */
export function unreadLists(
  reader: Pick<Snapshot, "db" | "dialect">,
  { now, accountId }: Selection,
) {
  const covered = reader.dialect.byIndex("s", "sync_state_completed")
  // A kind is a constant in each branch: only then is it looked up in the index.
  const ofKind = (kind: (typeof changingKinds)[number]) =>
    reader.db
      .selectFrom(newestOf(reader, kind, { accountId }).as("newest"))
      .innerJoin("sync_state as s", "s.event_id", "newest.event_id")
      // The statistics of derived tables are poor.
      .$if(accountId === undefined, (query) => query.modifyFront(covered))
      .select(["s.account_id", "s.event_id", "s.prefix", "s.list", "s.family", "s.kind"])
      .select(["s.completed_next", "s.covered_until as behind_from"])
      .select(["s.last_poll", "s.poll_interval", "s.since_from", "s.sent_until"])
      .select(["s.walk_started", "s.walk_since", "s.walk_completed"])
      .select(sql<number>`case when s.late_from <= ${now} then 1 else 0 end`.as("is_late"))
      .where("s.kind", "=", kind)
      .where((eb) =>
        eb.or([
          eb("s.completed_next", "<=", eb.ref("newest.at")),
          eb("s.completed_next", "is", null),
        ])
      )
      .where(isCounted(now))
      .$if(accountId !== undefined, (query) => query.where("s.account_id", "=", accountId ?? ""))
  const [first, ...others] = changingKinds
  return others.reduce((before, kind) => before.unionAll(ofKind(kind)), ofKind(first))
}

/**
 * True if a list counts for its partner's state: it was requested in the last two weeks. A list of deletions counts with
 * that of the records.
 */
export function isCounted(now: number) {
  return sql<boolean>`(s.counted_until >= ${now}
    or (s.kind in ('guest deletions', 'item deletions') and exists (
      select 1 from sync_state as r where r.account_id = s.account_id and r.event_id = s.event_id
        and r.prefix = s.prefix and r.counted_until >= ${now}
        and r.kind = case s.kind when 'guest deletions' then 'guests' else 'items' end)))`
}

/**
 * 1 if something has changed in a list's gap. After the clock was set back, the service takes everybody back to the same
 * time: asking for that again is no sign of a gap.
 */
export const isGapFilled = sql<number>`case when s.gap_to is not null and ${changedInGap()}
  and not exists (select 1 from clock_step where back_to = s.walk_since and s.gap_from = back_to + 1)
  then 1 else 0 end`

function changedInGap() {
  const changed = (table: string, column: string, and: RawBuilder<unknown>) =>
    sql`exists (select 1 from ${sql.table(table)} as c where c.event_id = s.event_id ${and}
      and ${sql.ref(`c.${column}`)} >= s.gap_from and ${sql.ref(`c.${column}`)} < s.gap_to)`
  const records = (category: Category) => changed(categories[category], "updated", sql``)
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
