import { type Expression, type ExpressionBuilder, sql, type SqlBool } from "kysely"
import type { Category } from "./categories.ts"
import { categories } from "./categories.ts"
import type { Dialect } from "./dialect.ts"
import type { Snapshot } from "./database.ts"
import type { Page, Position } from "./page.ts"

/** Which records of an event are listed, and what of them is searched. */
export interface Listing {
  readonly category: Category
  readonly eventId: string
  readonly page: Page
  /** The columns that `q` searches. */
  readonly searched: readonly string[]
}

/**
 * The keys of an event's records, newest first (`updated` descending, then `id` descending), read
 * from the narrow index alone unless there is something to search for. Wide rows are joined to
 * these few keys afterwards, so that the rows which `offset` passes over are never read. Join them
 * from the left: every key has its row, but an inner join would let a planner with poor statistics
 * begin with all rows of the event.
 */
export function newestKeys(
  { db, dialect }: Snapshot,
  { category, eventId, page, searched }: Listing,
) {
  // The tables agree in the columns used here; the type of one of them stands for all.
  const table = `${categories[category]} as record` as "guest as record"
  return db
    .selectFrom(table)
    .select(["record.id", "record.updated as time"])
    .where("record.event_id", "=", eventId)
    .where("record.updated", ">=", page.since)
    .where((eb) => eb.and(matches(eb, dialect, page.terms, searched)))
    .$if(
      Boolean(page.bucket),
      (query) => query.where(inBucket("record.id", page.bucket ?? "")),
    )
    .orderBy("record.updated", "desc")
    .orderBy("record.id", "desc")
}

/** A page of keys: one more than `limit`, to tell whether the list goes on. */
export function pageOfKeys(
  snapshot: Snapshot,
  listing: Listing,
  from: { readonly position: Position | undefined; readonly offset: number },
) {
  const keys = newestKeys(snapshot, listing).limit(listing.page.limit + 1)
  return from.position
    ? keys.where(isAfter("record.updated", "record.id", from.position))
    : keys.offset(from.offset)
}

/**
 * True for what stands after a position in a descending order. The first condition alone gives
 * both databases a range of the index; MySQL makes none of a comparison of rows.
 */
export function isAfter(time: string, id: string, [at, last]: readonly [number, string | number]) {
  return sql<SqlBool>`(${sql.ref(time)} <= ${at} and (${sql.ref(time)} < ${at} or ${
    sql.ref(id)
  } < ${last}))`
}

/** True for ids that begin with these hexadecimal digits. A function keeps planners to the order's index. */
export function inBucket(id: string, bucket: string) {
  return sql<SqlBool>`substr(${sql.ref(id)}, 1, ${sql.lit(bucket.length)}) = ${bucket}`
}

/** One condition for each term: it occurs in some of the columns. */
export function matches<DB, T extends keyof DB>(
  eb: ExpressionBuilder<DB, T>,
  dialect: Dialect,
  terms: readonly string[],
  columns: readonly string[],
): Expression<SqlBool>[] {
  return terms.map((term) =>
    eb.or(columns.map((column) => dialect.contains(sql.ref<string | null>(column), term)))
  )
}

/** The columns of a projection, each selected under its own reference. */
export function selections(columns: readonly string[]) {
  return columns.map((column) => sql.ref(column).as(column))
}
