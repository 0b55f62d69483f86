import type { Category } from "./categories.ts"
import type { Snapshot } from "../data/database.ts"
import { inBucket, type Listing, newestKeys } from "./newest.ts"
import type { PageRequest } from "./page.ts"

/**
 * How many records that are still there stand before position `page.offset`, by category.
 *
 * A deleted record keeps its position while `offset` is counted: else everything behind it would
 * move up, and a reader that pages on would pass over one record for each deletion. The change log
 * has what was deleted with the `updated` it had, so the positions are those of the records and of
 * the deleted ones together, newest first. A record's position can then only grow, whatever is
 * inserted, changed or deleted, and a reader that goes up by `limit` meets each one.
 *
 * Which deleted records matched `q` nobody knows any more, so all of them count: a reader sees
 * records twice rather than never.
 */
export async function recordsBefore(
  snapshot: Snapshot,
  listings: readonly Listing[],
): Promise<Partial<Record<Category, number>>> {
  const [first] = listings
  const { offset = 0, after } = first?.page ?? {}
  if (!first || offset === 0 || after) return {}
  const deleted = await deletedKeys(snapshot, first, listings.map(({ category }) => category))
  const before: Partial<Record<Category, number>> = {}
  for (const listing of listings) {
    const gone = deleted.filter(({ category }) => category === listing.category)
    before[listing.category] = gone.length === 0
      ? offset
      : await countBefore(snapshot, listing, gone)
  }
  return before
}

interface Key {
  readonly time: number
  readonly id: string
}

/** The deleted records that were in the list. */
async function deletedKeys(
  { db, run }: Snapshot,
  { eventId, page }: { readonly eventId: string; readonly page: PageRequest },
  among: readonly Category[],
) {
  return await run(
    db
      .selectFrom("change_log as log")
      .select(["log.category", "log.updated as time", "log.record_id as id"])
      .where("log.event_id", "=", eventId)
      .where("log.category", "in", among)
      .where("log.operation", "=", "delete")
      .where("log.updated", ">=", page.since)
      .$if(
        Boolean(page.bucket),
        (query) => query.where(inBucket("log.record_id", page.bucket ?? "")),
      ),
  )
}

/**
 * A record at rank r among those that are there has position r plus the number of newer deleted
 * ones, so the first one from `offset` on has a rank between `offset` less all of them and `offset`.
 */
async function countBefore(
  snapshot: Snapshot,
  listing: Listing,
  deleted: readonly Key[],
): Promise<number> {
  const { offset } = listing.page
  const start = Math.max(0, offset - deleted.length)
  const keys: readonly Key[] = await snapshot.run(
    newestKeys(snapshot, listing).offset(start).limit(offset - start),
  )
  const gone = deleted.toSorted((a, b) => isNewer(a, b) ? -1 : 1)
  let newer = 0
  for (const [index, key] of keys.entries()) {
    while (newer < gone.length && isNewer(gone[newer] as Key, key)) newer++
    if (start + index + newer >= offset) return start + index
  }
  return start + keys.length
}

function isNewer(a: Key, b: Key): boolean {
  return a.time > b.time || (a.time === b.time && a.id > b.id)
}
