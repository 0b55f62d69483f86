import { type Insertable, type Kysely, sql, type Transaction } from "kysely"
import type { Dialect } from "../../core/data/dialect.ts"
import type { Schema } from "../../core/data/schema.ts"

/** Rows by table, in insertion order. */
export type Rows = { readonly [Table in keyof Schema]?: readonly Insertable<Schema[Table]>[] }

/**
 * Inserts all rows in one transaction, and checks foreign keys only at its end. Consent records and
 * addresses go in before their guests: inserted later, they would set the guests' `updated` to now.
 */
export async function insertRows(
  db: Kysely<Schema>,
  dialect: Dialect["name"],
  batches: readonly Rows[],
): Promise<void> {
  // Uses one connection throughout: MySQL's setting outlives the transaction and must be reset.
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

/** Keeps a statement below SQLite's limit of 32,766 bound values. */
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
