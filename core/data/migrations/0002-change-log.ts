import type { Kysely } from "kysely"
import { categories } from "../../records/categories.ts"
import type { Dialect } from "../dialect.ts"
import { createTable } from "./create-table.ts"

/**
 * The change log, and the triggers that write it and every `updated`. Rows are only appended, numbered
 * by a sequence of the database that needs no locks: writers never wait for each other.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { id, slug, seconds, sequence } = dialect.types

  await createTable(
    db,
    dialect,
    "change_log",
    (table) =>
      table
        .addColumn("seq", sequence, (c) => c.notNull().primaryKey().autoIncrement())
        .addColumn("event_id", id, (c) => c.notNull())
        .addColumn("category", slug, (c) => c.notNull())
        .addColumn("record_id", id, (c) => c.notNull())
        .addColumn("operation", slug, (c) => c.notNull())
        .addColumn("updated", seconds, (c) => c.notNull())
        .addColumn("at", seconds, (c) => c.notNull()),
    { change_log_event: ["event_id", "category", "operation", "at"] },
  )

  const { triggers } = dialect
  const statements = [
    ...triggers.stamp("organization"),
    ...triggers.stamp("event"),
    ...Object.entries(categories).flatMap(([category, table]) => triggers.record(table, category)),
    ...triggers.touchGuest("consent"),
    ...triggers.touchGuest("address"),
  ]
  for (const statement of statements) await statement.execute(db)
}
