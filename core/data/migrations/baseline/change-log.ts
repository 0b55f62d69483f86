import { type Kysely, sql } from "kysely"
import type { Dialect } from "../../dialect.ts"
import { createTable } from "../create-table.ts"

/**
 * Creates the log of changes by event with what is folded out of it, the deletions, and the positions that deleted
 * records keep for a day. One row says how far the log is settled; others say when the clock was set back, and what
 * `migrate` saw of the tables.
 */
export async function createChangeLog(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { id, slug, seconds, sequence } = dialect.types

  await createTable(
    db,
    dialect,
    "event_change",
    (table) =>
      table
        .addColumn("seq", sequence, (c) => c.notNull().primaryKey().autoIncrement())
        .addColumn("event_id", id, (c) => c.notNull())
        .addColumn("at", seconds, (c) => c.notNull())
        .addColumn("mark", seconds, (c) => c.notNull()),
    { event_change_event: ["event_id", "seq", "mark"] },
  )
  await createTable(db, dialect, "event_version", (table) =>
    table
      .addColumn("event_id", id, (c) => c.notNull().primaryKey())
      .addColumn("seq", seconds, (c) => c.notNull())
      .addColumn("changes", seconds, (c) => c.notNull())
      .addColumn("mark", seconds, (c) => c.notNull()))
  await createTable(
    db,
    dialect,
    "deletion",
    (table) =>
      table
        .addColumn("event_id", id, (c) => c.notNull())
        .addColumn("category", slug, (c) => c.notNull())
        .addColumn("record_id", id, (c) => c.notNull())
        .addColumn("at", seconds, (c) => c.notNull())
        .addColumn("created", seconds)
        .addColumn("updated", seconds)
        .addPrimaryKeyConstraint("deletion_pk", ["event_id", "category", "record_id"]),
    { deletion_latest: ["event_id", "category", "at", "record_id"] },
  )
  await createTable(
    db,
    dialect,
    "vacant_position",
    (table) =>
      table
        .addColumn("seq", sequence, (c) => c.notNull().primaryKey().autoIncrement())
        .addColumn("event_id", id, (c) => c.notNull())
        .addColumn("category", slug, (c) => c.notNull())
        .addColumn("record_id", id, (c) => c.notNull())
        .addColumn("updated", seconds, (c) => c.notNull())
        .addColumn("at", seconds, (c) => c.notNull()),
    { vacant_position_newest: ["event_id", "category", "updated", "record_id", "at"] },
  )
  await createTable(db, dialect, "change_state", (table) =>
    table
      .addColumn("id", dialect.types.integer, (c) => c.notNull().primaryKey())
      .addColumn("complete_since", seconds, (c) => c.notNull())
      .addColumn("clock", seconds, (c) => c.notNull())
      .addColumn("top", seconds, (c) => c.notNull())
      .addColumn("settled", seconds, (c) => c.notNull())
      .addColumn("epoch", seconds))
  await createTable(db, dialect, "clock_step", (table) =>
    table
      .addColumn("reached", seconds, (c) => c.notNull().primaryKey())
      .addColumn("back_to", seconds, (c) => c.notNull()))
  await createTable(db, dialect, "watched_table", (table) =>
    table
      .addColumn("name", slug, (c) => c.notNull().primaryKey())
      .addColumn("made", slug, (c) => c.notNull()))

  // In a database without organizations nothing can have been deleted yet: all deletions are known.
  await sql`insert into change_state (id, complete_since, clock, top, settled, epoch)
    select 1, case when exists (select 1 from organization) then ${dialect.now} else 0 end, 0, 0, 0, 0
    from (select 1 as one) as single
    where not exists (select 1 from change_state)`.execute(db)
  // A record that no trigger has seen yet has a version, too.
  await sql`insert into event_version (event_id, seq, changes, mark)
    select id, 0, 0, 0 from event
    where not exists (select 1 from event_version)`.execute(db)
}
