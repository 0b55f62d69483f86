import type { Kysely } from "kysely"
import { createTable, type Dialect } from "../../../../core/capability.ts"

/** The running processes. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { id, slug, seconds, integer, flag, text, longText } = dialect.types

  await createTable(db, dialect, "instance", (table) =>
    table
      .addColumn("id", id, (c) => c.notNull().primaryKey())
      .addColumn("host", text(200), (c) => c.notNull())
      .addColumn("pid", integer, (c) => c.notNull())
      .addColumn("url", text(500))
      .addColumn("version", text(100), (c) => c.notNull())
      .addColumn("started", seconds, (c) => c.notNull())
      .addColumn("seen", seconds, (c) => c.notNull())
      .addColumn("ready", flag, (c) => c.notNull())
      .addColumn("config_file", text(1000), (c) => c.notNull())
      .addColumn("config_hash", slug, (c) => c.notNull())
      .addColumn("config_since", seconds, (c) => c.notNull())
      .addColumn("reload_at", seconds)
      .addColumn("reload_result", slug)
      .addColumn("reload_reason", longText))
}
