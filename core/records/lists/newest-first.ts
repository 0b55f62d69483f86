import { type AliasableExpression, type Expression, sql, type SqlBool } from "kysely"
import { type GuestFilter, isChosenSql } from "../../change-log/departures.ts"
import type { Reader, Runnable, Snapshot } from "../../data/database.ts"
import type { Dialect } from "../../data/dialect.ts"
import { categories, type Category } from "../kinds/categories.ts"
import type { PageRequest, Position, PositionedRow } from "./page.ts"
import type { Projection } from "../kinds/projection.ts"
import type { PageQuery } from "./read-pages.ts"
import { belongingsIn, columnsOf, recordsIn, selections } from "./rows-by-id.ts"
import { findRows, mayMatch } from "./search.ts"

/** The key of a record: its `updated` (Unix seconds) and its id. Lists are sorted by it. */
export interface RecordKey {
  readonly time: number
  readonly id: string
}

/** Which records of an event are listed. `q` searches what the projection lets it. */
export interface Listing {
  readonly category: Category
  readonly eventId: string
  readonly page: PageRequest
  readonly projection: Pick<Projection, "searched" | "filter">
}

/** A listing whose records are not searched. */
type KeysListing = Omit<Listing, "projection"> & {
  readonly projection: Pick<Projection, "filter">
}

/** The keys of an event's records, newest first, whatever `q` is. Only the narrow index is read. */
export function newestKeys(snapshot: Snapshot, listing: KeysListing) {
  return newest(snapshot, listing).select(["record.id", "record.updated as time"])
}

/** Prepares the reading of some columns of a listing's records: `limit` of them, from `offset`. */
export function findNewest(
  snapshot: Snapshot,
  listing: Listing,
  { columns, ...range }: {
    readonly columns: Iterable<string>
    readonly position?: Position | undefined
    readonly offset: number
    readonly limit: number
  },
): Runnable<PositionedRow> {
  const { page: { terms }, projection: { searched } } = listing
  const wanted = new Set(["record.id", "record.updated", ...columns])
  if (terms.length > 0) { for (const column of searched) wanted.add(column) }
  return findRows((position) =>
    newest(snapshot, listing)
      .where((eb) => mayMatch(eb, snapshot.dialect, { terms, searched }))
      .select(selections(wanted))
      .where(isAfter(position))
      .$castTo<PositionedRow>(), { ...range, terms, searched })
}

/**
 * Prepares a page of records with their companions; undefined if a walk by cursor has reached the end of this list.
 * Reads only keys at first if `offset` skips records, and for `q`, and then everything that belongs to the records of
 * the page: the wide rows of others are never touched.
 */
export function queryPage(
  snapshot: Snapshot,
  listing: Listing & { readonly projection: Projection },
  offset: number,
): PageQuery | undefined {
  const { category, projection, page: { limit, terms, after } } = listing
  const position = after?.[category]
  if (after && !position) return undefined
  const isSearch = terms.length > 0
  const isWhole = !isSearch && (position !== undefined || offset === 0)
  const columns = columnsOf(projection, "record")
  const query = findNewest(snapshot, listing, {
    columns: isWhole ? columns : [],
    position,
    offset: position ? 0 : offset,
    limit: limit + 1,
  })
  return {
    projection,
    limit,
    query,
    companions: isWhole ? belongingsIn(snapshot, listing) : [recordsIn(snapshot, listing)],
    isWhole,
  }
}

/** The records of a listing, whatever `q` is, in its order. */
function newest(
  { db, dialect }: Snapshot,
  { category, eventId, page, projection: { filter } }: KeysListing,
) {
  return newestOf({ db, dialect }, category, { eventId, since: page.since, filter })
    .where(inBucket(dialect, "record.id", page))
}

/** The records of a category of an event since a time, newest first. */
function newestOf(
  { db, dialect }: Pick<Reader, "db" | "dialect">,
  category: Category,
  { eventId, since, filter }: {
    readonly eventId: string | Expression<string>
    readonly since: number | Expression<number>
    readonly filter: GuestFilter | undefined
  },
) {
  return db
    .selectFrom(tableOf(category))
    .modifyFront(dialect.byIndex("record", `${categories[category]}_newest`))
    .where("record.event_id", "=", eventId)
    .where("record.updated", ">=", since)
    .$if(filter !== undefined, (query) => query.where(isChosenSql(filter)))
    .orderBy("record.updated", "desc")
    .orderBy("record.id", "desc")
}

/** The keys and versions of an event's records of a category behind a position, newest first. */
export function keysBehind(
  reader: Pick<Reader, "db" | "dialect">,
  category: Category,
  { eventId, filter }: {
    readonly eventId: Expression<string>
    readonly filter: GuestFilter | undefined
  },
  position: readonly [unknown, unknown],
) {
  return newestOf(reader, category, { eventId, since: sql<number>`${sql.lit(-1)}`, filter })
    .select(["record.id", "record.updated", "record.export_version"])
    .where(isAfter(position))
}

/** The tables share the columns that are used here, so the type of one of them stands for all. */
export function tableOf(category: Category) {
  return `${categories[category]} as record` as "guest as record"
}

/**
 * Matches the records after a position; all if there is none. The first condition gives both databases a range of
 * the index; MySQL finds none in a comparison of rows.
 */
export function isAfter(position: readonly [unknown, unknown] | undefined) {
  if (!position) return sql<SqlBool>`true`
  const [at, last] = position
  return sql<SqlBool>`(record.updated <= ${at} and (record.updated < ${at} or record.id < ${last}))`
}

/** Unites limited lists into one, in no order. */
export function unite<Row>(db: Snapshot["db"], lists: readonly AliasableExpression<Row>[]) {
  return lists
    .map((list) => db.selectFrom(list.as("page")).selectAll().$castTo<Row>())
    .reduce((all, each) => all.unionAll(each))
}

/**
 * Matches ids that begin, or whose hash begins, with the hexadecimal digits that a page asks for; all
 * ids if it asks for none. The function call keeps planners on the index that has the order.
 */
export function inBucket(
  dialect: Dialect,
  id: string,
  { bucket, hash }: Pick<PageRequest, "bucket" | "hash">,
): Expression<SqlBool> {
  const column = sql.ref<string>(id)
  if (bucket) return beginsWith(column, bucket)
  if (hash) return beginsWith(dialect.sha256(column), hash)
  return sql`true`
}

function beginsWith(text: Expression<string>, digits: string) {
  return sql<SqlBool>`substr(${text}, 1, ${sql.lit(digits.length)}) = ${digits}`
}
