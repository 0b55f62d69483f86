import { type Expression, type ExpressionBuilder, sql, type SqlBool } from "kysely"
import type { Category } from "./categories.ts"
import { categories } from "./categories.ts"
import type { Dialect } from "../data/dialect.ts"
import type { Snapshot } from "../data/database.ts"
import type { PageRequest, Position, PositionedRow } from "./page.ts"

/** Which records of an event are listed, and what of them is searched. */
export interface Listing {
  readonly category: Category
  readonly eventId: string
  readonly page: PageRequest
  /** The columns that `q` searches. */
  readonly searched: readonly string[]
}

/** The keys of an event's records, newest first, read from the narrow index alone unless `q` is given. */
export function newestKeys(snapshot: Snapshot, listing: Listing) {
  return newest(snapshot, listing).select(["record.id", "record.updated as time"])
}

/**
 * A page of records, newest first (`updated` descending, then `id` descending), with `id`, `updated`
 * and the columns asked for: one more than `limit`, to tell whether the list goes on.
 *
 * Where `offset` passes over records, their keys are read first, so that the wide rows are never
 * touched. The page's rows are joined to these few keys from the left: every key has its row, but
 * an inner join would let a planner with poor statistics begin with all rows of the event.
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

/** The records that a listing is about, in its order. */
function newest({ db, dialect }: Snapshot, { category, eventId, page, searched }: Listing) {
  return db
    .selectFrom(tableOf(category))
    .modifyFront(dialect.byIndex("record", `${categories[category]}_newest`))
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

/** The tables agree in the columns used here; the type of one of them stands for all. */
function tableOf(category: Category) {
  return `${categories[category]} as record` as "guest as record"
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

/** Columns (`relation.column`), each selected under its own name. */
export function selections(columns: Iterable<string>) {
  return [...columns].map((column) => sql.ref(column).as(column.slice(column.indexOf(".") + 1)))
}
