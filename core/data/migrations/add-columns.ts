import type { Kysely } from "kysely"
import type { ColumnType } from "../dialect.ts"

/**
 * Adds columns that may be null to a table, except those that are there, so that a migration which
 * failed halfway can be run again. A view is left alone: the operator brings its columns.
 */
export async function addColumns(
  db: Kysely<unknown>,
  name: string,
  columns: Readonly<Record<string, ColumnType>>,
): Promise<void> {
  const tables = await db.introspection.getTables()
  const table = tables.find((each) => each.name === name)
  const there = new Set(table?.columns.map((column) => column.name))
  for (const [column, type] of Object.entries(columns)) {
    if (there.has(column) || table?.isView) continue
    await db.schema.alterTable(name).addColumn(column, type).execute()
  }
}
