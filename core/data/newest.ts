import { type Expression, type ExpressionBuilder, sql, type SqlBool } from "kysely"
import type { Dialect } from "./dialect.ts"
import type { Snapshot } from "./database.ts"
import type { Page } from "./page.ts"
import type { Schema } from "./schema.ts"

/** The tables that hold the records of events, one record a row. */
export type RecordTable = {
  [Table in keyof Schema]: Schema[Table] extends
    { event_id: unknown; id: unknown; updated: unknown } ? Table
    : never
}[keyof Schema]

/**
 * The keys of a page of an event's records, newest first (`updated` descending, then `id`
 * descending), read from the narrow index alone unless there is something to search for. Wide
 * rows are joined to these few keys afterwards, so that the rows which `offset` passes over are
 * never read. Join them from the left: every key has its row, but an inner join would let a planner
 * with poor statistics begin with all rows of the event.
 */
export function newestKeys(
  { db, dialect }: Snapshot,
  table: RecordTable,
  eventId: string,
  page: Page,
  searched: readonly string[],
) {
  // The tables agree in the columns used here; the type of one of them stands for all.
  return db
    .selectFrom(`${table} as record` as "guest as record")
    .select("record.id")
    .where("record.event_id", "=", eventId)
    .where("record.updated", ">=", page.since)
    .where((eb) => eb.and(matches(eb, dialect, page.terms, searched)))
    .orderBy("record.updated", "desc")
    .orderBy("record.id", "desc")
    .limit(page.limit)
    .offset(page.offset)
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
