import { setImmediate } from "node:timers/promises"
import { type Kysely, type RawBuilder, sql, type Transaction } from "kysely"
import type { Schema } from "./schema.ts"
import type { Columns } from "./table.ts"

/** The rows per transaction, so that nothing waits long for locks. */
const portion = 1000

interface Deletion<DB, Row> {
  /** Finds up to `limit` rows that are still there; none ends the deletion. */
  find(limit: number): Promise<readonly Row[]>
  /** Runs before these are deleted, in the same transaction. */
  begin?(db: Transaction<DB>, rows: readonly Row[]): Promise<unknown>
  /** Deletes one by its key: given a list of keys, planners may scan the table, and lock what they scan. */
  remove(db: Transaction<DB>, row: Row): Promise<unknown>
}

/** Deletes rows, portion by portion, until `signal` aborts. Returns their number. */
export async function deleteInPortions<DB, Row>(
  db: Kysely<DB>,
  { find, begin, remove }: Deletion<DB, Row>,
  signal?: AbortSignal,
): Promise<number> {
  let sum = 0
  while (!signal?.aborted) {
    const rows = await find(portion)
    if (rows.length === 0) break
    sum += await db.transaction().execute(async (transaction) => {
      await begin?.(transaction, rows)
      for (const [deleted, row] of rows.entries()) {
        if (signal?.aborted) return deleted
        await remove(transaction, row)
      }
      return rows.length
    })
    // The embedded database never waits: without this, nothing else would run until the end.
    await setImmediate()
  }
  return sum
}

interface OldRows<Table extends keyof Schema> {
  readonly table: Table
  readonly key: readonly (keyof Schema[Table] & string)[]
  /** Checked again before each row is deleted: it may have been renewed. */
  readonly isOld: RawBuilder<unknown>
  /** True if no index finds them: the table is then read in the order of its key, a portion at a time. */
  readonly inOrder?: true
}

/** Deletes the rows that are old, as `deleteInPortions` does. Returns their number. */
export async function deleteOld<Table extends keyof Schema>(
  db: Kysely<Schema>,
  { table, key, isOld, inOrder }: OldRows<Table>,
  signal?: AbortSignal,
): Promise<number> {
  return await deleteInPortions<Schema, Columns>(db, {
    find: async (limit) => {
      const columns = sql.join(key.map((column) => sql.ref(column)))
      const { rows } = await sql<Columns>`
        select ${columns} from ${sql.table(table)} where ${isOld}
        ${inOrder ? sql`order by ${columns}` : sql``} limit ${limit}`.execute(db)
      return rows
    },
    remove: (transaction, row) => {
      const isRow = key.map((column) => sql`${sql.ref(column)} = ${row[column]}`)
      return sql`delete from ${sql.table(table)}
        where ${sql.join(isRow, sql` and `)} and ${isOld}`.execute(transaction)
    },
  }, signal)
}
