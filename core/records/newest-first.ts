import { type Expression, type ExpressionBuilder, sql, type SqlBool } from "kysely"
import type { Snapshot } from "../data/database.ts"
import type { Dialect } from "../data/dialect.ts"
import { categories, type Category } from "./categories.ts"
import type { PageRequest, Position, PositionedRow } from "./page.ts"

/** The key of a record: its `updated` (Unix seconds) and its id. Lists are sorted by it. */
export interface RecordKey {
  readonly time: number
  readonly id: string
}

/** Which records of an event are listed, and which columns are searched. */
export interface Listing {
  readonly category: Category
  readonly eventId: string
  readonly page: PageRequest
  /** The columns that `q` searches. */
  readonly searched: readonly string[]
}

/** The keys of an event's records, newest first. Unless `q` is given, only the narrow index is read. */
export function newestKeys(snapshot: Snapshot, listing: Listing) {
  return newest(snapshot, listing).select(["record.id", "record.updated as time"])
}

/**
 * A page of records, newest first (`updated` descending, then `id` descending), with `id`, `updated`
 * and the given columns. It has one record more than `limit`, to show if the list goes on.
 *
 * If `offset` skips records, the keys of the page are read first, so that the wide rows of skipped
 * records are never touched. The rows are then joined to these few keys from the left: every key has
 * its row, but with an inner join a planner with poor statistics may begin with all rows of the event.
 */
export function pageOfRecords(
  snapshot: Snapshot,
  listing: Listing,
  { position, offset, columns }: {
    readonly position: Position | undefined
    readonly offset: number
    /** As `record.column`. */
    readonly columns: readonly string[]
  },
) {
  const { category, eventId, page: { limit } } = listing
  const wanted = selections(new Set(["record.id", "record.updated", ...columns]))
  if (position || offset === 0) {
    return newest(snapshot, listing)
      .select(wanted)
      .$if(
        position !== undefined,
        (query) => query.where(isAfter("record.updated", "record.id", position ?? [0, ""])),
      )
      .limit(limit + 1)
      .$castTo<PositionedRow>()
  }
  return snapshot.db
    .selectFrom(newestKeys(snapshot, listing).limit(limit + 1).offset(offset).as("page"))
    .leftJoin(
      tableOf(category),
      (join) => join.onRef("record.id", "=", "page.id").on("record.event_id", "=", eventId),
    )
    .select(wanted)
    .orderBy("record.updated", "desc")
    .orderBy("record.id", "desc")
    .$castTo<PositionedRow>()
}

/** The records of a listing, in its order. */
function newest({ db, dialect }: Snapshot, { category, eventId, page, searched }: Listing) {
  return db
    .selectFrom(tableOf(category))
    .modifyFront(dialect.byIndex("record", `${categories[category]}_newest`))
    .where("record.event_id", "=", eventId)
    .where("record.updated", ">=", page.since)
    .where((eb) => eb.and(matches(eb, dialect, page.terms, searched)))
    .where(inBucket(dialect, "record.id", page))
    .orderBy("record.updated", "desc")
    .orderBy("record.id", "desc")
}

/** The tables share the columns that are used here, so the type of one of them stands for all. */
function tableOf(category: Category) {
  return `${categories[category]} as record` as "guest as record"
}

/**
 * Matches rows after a position in a descending order. The first condition gives both databases a
 * range of the index; MySQL finds none in a comparison of rows.
 */
export function isAfter(time: string, id: string, [at, last]: readonly [number, string | number]) {
  return sql<SqlBool>`(${sql.ref(time)} <= ${at} and (${sql.ref(time)} < ${at} or ${
    sql.ref(id)
  } < ${last}))`
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

/** One condition per term: it occurs in at least one of the columns. */
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

/** Columns (`relation.column`), each selected under its own name. */
export function selections(columns: Iterable<string>) {
  return [...columns].map((column) => sql.ref(column).as(column.slice(column.indexOf(".") + 1)))
}
