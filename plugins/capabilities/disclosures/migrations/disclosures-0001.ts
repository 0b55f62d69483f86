import type { Kysely } from "kysely"
import { createTable, type Dialect } from "../../../../core/capability.ts"

/**
 * Who received which records: ranges of `updated`, by account, event, list and fields. And what each account
 * was told of deletions, has acknowledged and attested. `record_start` keeps the first `updated` of records that a later
 * `created` hides.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { id, slug, seconds, sequence, flag, longText } = dialect.types

  await createTable(db, dialect, "record_start", (table) =>
    table
      .addColumn("event_id", id, (c) => c.notNull())
      .addColumn("category", slug, (c) => c.notNull())
      .addColumn("record_id", id, (c) => c.notNull())
      .addColumn("time", seconds, (c) => c.notNull())
      .addPrimaryKeyConstraint("record_start_pk", ["event_id", "category", "record_id"]))
  await createTable(db, dialect, "field_set", (table) =>
    table
      .addColumn("id", slug, (c) => c.notNull().primaryKey())
      .addColumn("fields", longText, (c) => c.notNull()))
  await createTable(
    db,
    dialect,
    "disclosure",
    (table) =>
      table
        .addColumn("seq", sequence, (c) => c.notNull().primaryKey().autoIncrement())
        .addColumn("event_id", id, (c) => c.notNull())
        .addColumn("account_id", id, (c) => c.notNull())
        .addColumn("prefix", slug, (c) => c.notNull())
        .addColumn("list", slug, (c) => c.notNull())
        .addColumn("fields", slug, (c) => c.notNull())
        .addColumn("whole", flag, (c) => c.notNull())
        .addColumn("from_time", seconds, (c) => c.notNull())
        .addColumn("to_time", seconds, (c) => c.notNull())
        .addColumn("first_at", seconds, (c) => c.notNull())
        .addColumn("last_at", seconds, (c) => c.notNull())
        .addColumn("first_next", seconds, (c) => c.notNull()),
    {
      disclosure_event: ["event_id", "list", "account_id", "prefix", "fields", "whole", "to_time"],
      disclosure_last: ["last_at"],
    },
  )
  await createTable(
    db,
    dialect,
    "erasure_notice",
    (table) =>
      table
        .addColumn("seq", sequence, (c) => c.notNull().primaryKey().autoIncrement())
        .addColumn("event_id", id, (c) => c.notNull())
        .addColumn("account_id", id, (c) => c.notNull())
        .addColumn("prefix", slug, (c) => c.notNull())
        .addColumn("list", slug, (c) => c.notNull())
        .addColumn("kind", slug, (c) => c.notNull())
        .addColumn("from_time", seconds, (c) => c.notNull())
        .addColumn("to_time", seconds, (c) => c.notNull())
        .addColumn("at", seconds, (c) => c.notNull()),
    {
      erasure_notice_event: ["event_id", "list", "account_id", "kind", "to_time"],
      erasure_notice_at: ["at"],
    },
  )
}
