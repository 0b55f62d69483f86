import { sql } from "kysely"
import type { Snapshot } from "../../data/database.ts"
import { type GuestFilter, isChosenSql, latestDeparture } from "../../change-log/departures.ts"
import { fullResync } from "../../change-log/clock-steps.ts"
import { categories, type Category } from "../kinds/categories.ts"
import { columnsOf } from "./rows-by-id.ts"
import type { Projection } from "../kinds/projection.ts"
import type { Companion, CompanionRow } from "./read-pages.ts"

/**
 * When guests and items of events were last changed or deleted, also if the deletion has been forgotten; none if the
 * projection does not need it. A client that has read an event since some `Next-Since` misses nothing if it waits until
 * this time is no longer before that `Next-Since`: what commits later is stamped with it, or later.
 */
export function latestChangesOf(projection: Projection<"Event">, snapshot: Snapshot): Companion[] {
  if (columnsOf(projection, "latest").length === 0) return []
  const query = (ids: readonly string[]) => latestChanges(snapshot, ids, projection.filter)
  return [{ relations: ["latest"], query, rowOf: (found) => changedOf(found as LatestRow) }]
}

/** A row of an event. The other columns have the latest time of a kind of change, null if there is none. */
type LatestRow = CompanionRow & {
  /** The latest time that the clock showed before it was set back, and the earliest after; null if it never was. */
  readonly reached: number | null
  readonly back_to: number | null
}

/** One statement, which reads only the end of each index. */
function latestChanges(
  { db, dialect }: Snapshot,
  ids: readonly string[],
  filter: GuestFilter | undefined,
) {
  const isFiltered = (category: Category) => filter && category === "guests"
  const columns = (Object.keys(categories) as Category[]).flatMap((category) => [
    sql<number | null>`(select ${
      dialect.byIndex("record", `${categories[category]}_newest`)
    } updated
      from ${sql.table(categories[category])} as record
      where record.event_id = wanted.id${
      isFiltered(category) ? sql` and ${isChosenSql(filter)}` : sql``
    } order by record.event_id desc, record.updated desc limit 1)`
      .as(category),
    (filter && isFiltered(category) ? latestDeparture(filter, sql`wanted.id`) : sql<
      number | null
    >`(select ${dialect.byIndex("deletion", "deletion_latest")} at
      from deletion where deletion.event_id = wanted.id
      and deletion.category = ${sql.lit(category)} order by deletion.event_id desc,
      deletion.category desc, deletion.at desc limit 1)`)
      .as(`deleted ${category}`),
  ])
  return db
    .selectFrom(dialect.tableOf(ids).as("wanted"))
    .leftJoin("event_version", "event_version.event_id", "wanted.id")
    .select([
      "wanted.place",
      sql<number | null>`(select max(reached) from clock_step)`.as("reached"),
      sql<number | null>`(select min(back_to) from clock_step)`.as("back_to"),
      "forgotten",
      "forgotten_guests",
      "forgotten_items",
      ...columns,
    ])
    .$if(filter !== undefined, (query) => query.select("forgotten_departures"))
    .$castTo<CompanionRow>()
}

/**
 * If the clock was set back, what changed before has later times than what followed. So a time in between
 * counts as the latest: it does not say that nothing has changed since. If everybody has to read everything again,
 * an event that is empty now may have had records.
 */
function changedOf({ place, reached, back_to, ...times }: LatestRow): CompanionRow {
  const known = Object.values(times).filter((time) => typeof time === "number")
  if (known.length === 0) return { place, changed: back_to === fullResync ? reached : null }
  const latest = Math.max(...known)
  const isBetween = back_to !== null && reached !== null && latest >= back_to
  return { place, changed: isBetween ? Math.max(latest, reached) : latest }
}
