import type { Kysely } from "kysely"
import { categories } from "../../records/categories.ts"
import type { Dialect } from "../dialect.ts"
import { createTable } from "./create-table.ts"

/**
 * The change log and the triggers that keep it and every `updated`. The log is only ever appended
 * to, by a sequence that the database hands out without locks: writers never wait for one another.
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
