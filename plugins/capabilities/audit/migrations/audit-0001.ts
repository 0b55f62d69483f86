import type { Kysely } from "kysely"
import { createTable, type Dialect } from "../../../../core/capability.ts"

/** Requests and changes, and who made them. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { id, slug, seconds, integer, sequence, text } = dialect.types

  await createTable(
    db,
    dialect,
    "audit_log",
    (table) =>
      table
        .addColumn("seq", sequence, (c) => c.notNull().primaryKey().autoIncrement())
        .addColumn("at", seconds, (c) => c.notNull())
        .addColumn("action", slug, (c) => c.notNull())
        .addColumn("account", slug)
        .addColumn("address", slug, (c) => c.notNull())
        .addColumn("request_id", slug, (c) => c.notNull())
        .addColumn("plugin", slug)
        .addColumn("route", text(500))
        .addColumn("event_id", id)
        .addColumn("since", seconds)
        .addColumn("first", seconds)
        .addColumn("cursor_text", text(2048))
        .addColumn("search_length", integer)
        .addColumn("sent", integer)
        .addColumn("status", integer, (c) => c.notNull())
        .addColumn("code", slug)
        .addColumn("milliseconds", integer, (c) => c.notNull())
        .addColumn("actor", slug)
        .addColumn("detail", text(1000)),
    {
      audit_log_at: ["at"],
      audit_log_account: ["account", "at"],
      audit_log_event: ["event_id", "at"],
      audit_log_request: ["request_id"],
      // The errors of a day are few among millions of entries.
      audit_log_status: ["status", "at"],
    },
  )
}
