import type { Kysely } from "kysely"
import { createTable, type Dialect } from "../../../../core/capability.ts"

/** How far each partner is with each list, and what it did in each hour. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { id, slug, seconds, integer } = dialect.types

  await createTable(
    db,
    dialect,
    "sync_state",
    (table) =>
      table
        .addColumn("account_id", id, (c) => c.notNull())
        .addColumn("event_id", id, (c) => c.notNull())
        .addColumn("prefix", slug, (c) => c.notNull())
        .addColumn("list", slug, (c) => c.notNull())
        .addColumn("family", slug, (c) => c.notNull())
        .addColumn("kind", slug, (c) => c.notNull())
        .addColumn("last_poll", seconds)
        .addColumn("poll_interval", integer)
        .addColumn("walk_started", seconds)
        .addColumn("walk_since", seconds)
        .addColumn("walk_next", seconds)
        .addColumn("previous_started", seconds)
        .addColumn("third_started", seconds)
        .addColumn("first_started", seconds)
        .addColumn("walk_completed", seconds)
        .addColumn("completed_next", seconds)
        .addColumn("acknowledged", seconds)
        .addColumn("acknowledged_at", seconds)
        .addColumn("records", seconds, (c) => c.notNull().defaultTo(0))
        .addColumn("first_error", seconds)
        .addColumn("error_at", seconds)
        .addColumn("error_status", integer)
        .addColumn("error_code", slug)
        .addColumn("error_request", slug)
        .addPrimaryKeyConstraint("sync_state_pk", ["account_id", "event_id", "prefix", "list"]),
    {
      sync_state_covered: ["event_id", "kind", "completed_next"],
      sync_state_error: ["account_id", "error_at"],
    },
  )
  await createTable(
    db,
    dialect,
    "partner_hour",
    (table) =>
      table
        .addColumn("account_id", id, (c) => c.notNull())
        .addColumn("hour", seconds, (c) => c.notNull())
        .addColumn("polls", integer, (c) => c.notNull())
        .addColumn("walks", integer, (c) => c.notNull())
        .addColumn("records", seconds, (c) => c.notNull())
        .addColumn("errors", integer, (c) => c.notNull())
        .addColumn("lag", seconds)
        .addPrimaryKeyConstraint("partner_hour_pk", ["account_id", "hour"]),
    { partner_hour_hour: ["hour"] },
  )
}
