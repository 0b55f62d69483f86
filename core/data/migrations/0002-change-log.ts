import type { Kysely } from "kysely"
import type { Dialect } from "../dialect.ts"
import { createTable } from "./create-table.ts"

/**
 * Creates the first change log, which later became `event_change` and `deletion`. `migrate` creates the
 * triggers once all tables are there.
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
}
