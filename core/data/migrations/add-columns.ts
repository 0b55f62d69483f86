import type { ColumnBuilderCallback, Kysely } from "kysely"
import type { ColumnType } from "../dialect.ts"

/**
 * Adds columns to a table, except those it has, so that a migration that failed halfway can be run again. They are
 * nullable, unless `constrain` says otherwise.
 */
export async function addColumns(
  db: Kysely<unknown>,
  name: string,
  columns: Readonly<Record<string, ColumnType>>,
  constrain?: ColumnBuilderCallback,
): Promise<void> {
  const tables = await db.introspection.getTables()
  const table = tables.find((each) => each.name === name)
  const existing = new Set(table?.columns.map((column) => column.name))
  for (const [column, type] of Object.entries(columns)) {
    if (existing.has(column)) continue
    await db.schema.alterTable(name).addColumn(column, type, constrain).execute()
  }
}
