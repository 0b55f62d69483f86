import type { Kysely } from "kysely"
import type { Dialect } from "../dialect.ts"
import { addColumns } from "./add-columns.ts"
import { createTable } from "./create-table.ts"

/**
 * Grants that end or that count from some networks only, sessions that end when idle, the last use of
 * each account, counters of failed log-ins, and the audit log.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { id, slug, seconds, integer, sequence, text } = dialect.types

  await addColumns(db, "access_grant", { ends: seconds, networks: text(1000) })
  await addColumns(db, "session", { used: seconds })

  await createTable(db, dialect, "account_activity", (table) =>
    table
      .addColumn("account_id", id, (c) => c.notNull().primaryKey())
      .addColumn("last_log_in", seconds)
      .addColumn("last_poll", seconds))

  await createTable(
    db,
    dialect,
    "rate_limit",
    (table) =>
      table
        .addColumn("name", slug, (c) => c.notNull().primaryKey())
        .addColumn("points", integer, (c) => c.notNull())
        .addColumn("expires", seconds, (c) => c.notNull()),
    { rate_limit_expires: ["expires"] },
  )

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
        .addColumn("cursor_text", text(500))
        .addColumn("search_length", integer)
        .addColumn("sent", integer)
        .addColumn("status", integer, (c) => c.notNull())
        .addColumn("code", slug)
        .addColumn("milliseconds", integer, (c) => c.notNull()),
    {
      audit_log_at: ["at"],
      audit_log_account: ["account", "at"],
      audit_log_event: ["event_id", "at"],
    },
  )
}
