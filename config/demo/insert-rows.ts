import { type Insertable, type Kysely, sql, type Transaction } from "kysely"
import type { Dialect } from "../../core/data/dialect.ts"
import type { Schema } from "../../core/data/schema.ts"

/** Rows by table, in the order in which they are written. */
export type Rows = { readonly [Table in keyof Schema]?: readonly Insertable<Schema[Table]>[] }

/**
 * Inserts all rows in one transaction. Within it foreign keys may point at rows that come later:
 * consent records and addresses go in before their guests, because inserted after them they would
 * set the guests' `updated` to the present.
 */
export async function insertRows(
  db: Kysely<Schema>,
  dialect: Dialect["name"],
  batches: readonly Rows[],
): Promise<void> {
  // One connection throughout: MySQL's setting outlives the transaction and has to be taken back.
  await db.connection().execute(async (connection) => {
    if (dialect === "mysql") await sql`set session foreign_key_checks = 0`.execute(connection)
    try {
      await connection.transaction().execute(async (transaction) => {
        // SQLite still checks every key, at the end of the transaction.
        if (dialect === "sqlite") await sql`pragma defer_foreign_keys = on`.execute(transaction)
        for (const batch of batches) await insertBatch(transaction, batch)
      })
    } finally {
      if (dialect === "mysql") await sql`set session foreign_key_checks = 1`.execute(connection)
    }
  })
}

/** Few enough that a statement stays below SQLite's 32,766 bound values. */
const rowsPerStatement = 400

async function insertBatch(transaction: Transaction<Schema>, batch: Rows): Promise<void> {
  for (const [table, rows] of Object.entries(batch)) {
    for (let start = 0; start < rows.length; start += rowsPerStatement) {
      await transaction
        .insertInto(table as keyof Schema)
        .values(rows.slice(start, start + rowsPerStatement))
        .execute()
    }
  }
}
