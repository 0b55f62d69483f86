import { type Expression, sql } from "kysely"
import type { GuestFilter } from "../../change-log/departures.ts"
import { walkLifetime } from "../../change-log/walk-lifetime.ts"
import type { Category } from "../kinds/categories.ts"
import type { Snapshot } from "../../data/database.ts"
import type { PositionedRow } from "./page.ts"
import {
  findNewest,
  inBucket,
  keysBehind,
  type Listing,
  type RecordKey,
  unite,
} from "./newest-first.ts"

/**
 * Returns how many existing records precede position `page.offset` of some lists, by category, where that is not the
 * offset itself.
 *
 * A deleted record keeps its position for a day, longer than any walk. Otherwise everything behind it would move up,
 * and a client that pages on would skip one record per deletion. Positions count existing and deleted records together,
 * newest first; `vacant_position` has the deleted ones with their last `updated`. So a position can only grow, and a
 * client that goes up by `limit` meets each record. Whether a deleted record matched `q` is no longer known, so all of
 * them count: a client sees records twice rather than never.
 */
export async function ranksOfOffset(
  snapshot: Snapshot,
  listings: readonly Listing[],
): Promise<Partial<Record<Category, number>>> {
  const ranks: Partial<Record<Category, number>> = {}
  const deleted = await findDeletedKeys(snapshot, listings)
  for (const listing of listings) {
    const gone = deleted.filter(({ category }) => category === listing.category)
    if (gone.length > 0) ranks[listing.category] = await countBefore(snapshot, listing, gone)
  }
  return ranks
}

/** Reads the keys of the newest deleted records that were in the lists: no more than a page skips records. */
async function findDeletedKeys({ db, dialect, run }: Snapshot, listings: readonly Listing[]) {
  const deleted = listings.map(({ category, eventId, page, projection: { filter } }) =>
    vacanciesOf(db, category, { eventId, filter })
      .select(["vacant.category", "vacant.updated as time", "vacant.record_id as id"])
      .where("vacant.updated", ">=", page.since)
      .where("vacant.at", ">=", sql<number>`${dialect.now} - ${sql.lit(walkLifetime)}`)
      .where(inBucket(dialect, "vacant.record_id", page))
      .orderBy("vacant.updated", "desc")
      .orderBy("vacant.record_id", "desc")
      .limit(page.offset)
  )
  return await run(unite(db, deleted))
}

/** The keys of an event's records that are in a list, behind a position, and the places of those that have left it. */
export function keysOf(
  { db, dialect }: Pick<Snapshot, "db" | "dialect">,
  category: Category,
  of: Parameters<typeof keysBehind>[2],
) {
  return {
    behind: (position: Parameters<typeof keysBehind>[3]) =>
      keysBehind({ db, dialect }, category, of, position),
    vacant: vacanciesOf(db, category, of),
  }
}

/** The places of records that have left a list. Guests may have left one with a filter without having been deleted. */
function vacanciesOf(
  db: Snapshot["db"],
  category: Category,
  { eventId, filter }: {
    readonly eventId: string | Expression<string>
    readonly filter: GuestFilter | undefined
  },
) {
  // Counts guests who were not in the list as well.
  const departed = sql`(select event_id, record_id, updated, at, 'guests' as category from departure
    where updated is not null and scope in ('', ${filter?.scope ?? ""}))`.as("vacant")
  return db.selectFrom(
    (filter ? departed : "vacant_position as vacant") as "vacant_position as vacant",
  )
    .where("vacant.event_id", "=", eventId)
    .where("vacant.category", "=", category)
}

/**
 * Returns the rank of the first existing record at position `offset` or later. Its position is the rank plus the number
 * of newer deleted records, so the rank is between `offset` minus the number of deleted ones and `offset`.
 */
async function countBefore(
  snapshot: Snapshot,
  listing: Listing,
  deleted: readonly RecordKey[],
): Promise<number> {
  const { offset } = listing.page
  const start = Math.max(0, offset - deleted.length)
  const keys = await snapshot.run(
    findNewest(snapshot, listing, { columns: [], offset: start, limit: offset - start }),
  )
  const gone = deleted.toSorted((a, b) => isNewer(a, b) ? -1 : 1)
  const keyOf = (index: number) => {
    const { updated: time, id } = keys[index] as PositionedRow
    return { time, id }
  }
  return rankOf(offset, gone, { start, count: keys.length, keyOf })
}

/** The keys of existing records from rank `start`, newest first. */
interface RankedKeys {
  readonly start: number
  readonly count: number
  keyOf(index: number): RecordKey
}

/**
 * Returns the rank of the first existing record at position `offset` or later; `gone` are deleted ones, newest first.
 */
export function rankOf(
  offset: number,
  gone: readonly RecordKey[],
  { start, count, keyOf }: RankedKeys,
): number {
  let newer = 0
  for (let index = 0; index < count; index++) {
    const key = keyOf(index)
    while (newer < gone.length && isNewer(gone[newer] as RecordKey, key)) newer++
    if (start + index + newer >= offset) return start + index
  }
  return start + count
}

function isNewer(a: RecordKey, b: RecordKey): boolean {
  return a.time > b.time || (a.time === b.time && a.id > b.id)
}
