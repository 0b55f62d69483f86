import { type Kysely, sql } from "kysely"
import { DEFAULT_MIGRATION_LOCK_TABLE, DEFAULT_MIGRATION_TABLE } from "kysely/migration"
import type { Database } from "./database.ts"
import type { Dialect } from "./dialect.ts"
import type { Schema } from "./schema.ts"
import { loggedTables, partsOfGuests, triggersOf } from "./triggers.ts"

/**
 * Takes over the deletions of the former change log, and drops it with the triggers that wrote it. Does
 * nothing if it has been dropped. The present triggers must exist, so that no deletion falls between.
 *
 * Keeps it where views have taken the place of tables: triggers on the operator's own tables may append to it,
 * and without it every deletion there would fail.
 */
export async function retireChangeLog({ migrator, dialect }: Database): Promise<void> {
  if (!await isThere(migrator)) return
  await alone(migrator, async (db) => {
    try {
      if (await isThere(db)) await retire(db, dialect)
    } catch (error) {
      // On the embedded database, another process may have just done it.
      if (await isThere(db)) throw error
    }
  })
}

async function isThere(db: Kysely<Schema>): Promise<boolean> {
  const tables = await db.introspection.getTables()
  return tables.some(({ name }) => name === "change_log")
}

/** On MySQL, makes other processes wait that do this or migrate. */
async function alone(
  db: Kysely<Schema>,
  work: (db: Kysely<Schema>) => Promise<void>,
): Promise<void> {
  const { adapter } = db.getExecutor()
  const tables = { lockTable: DEFAULT_MIGRATION_LOCK_TABLE, lockRowId: DEFAULT_MIGRATION_TABLE }
  await db.connection().execute(async (connection) => {
    try {
      await adapter.acquireMigrationLock(connection, tables)
      await work(connection)
    } finally {
      await adapter.releaseMigrationLock(connection, tables)
    }
  })
}

async function retire(db: Kysely<Schema>, dialect: Dialect): Promise<void> {
  const present = new Set(triggersOf(dialect).map(({ name }) => name))
  for (const name of formerTriggers.filter((name) => !present.has(name))) {
    await sql`drop trigger if exists ${sql.table(name)}`.execute(db)
  }
  await sql`insert into deletion (event_id, category, record_id, at)
    select event_id, category, record_id, max(at) from change_log as old
    where operation = 'delete' and not exists (select 1 from deletion where
      deletion.event_id = old.event_id and deletion.category = old.category
      and deletion.record_id = old.record_id)
    group by event_id, category, record_id`.execute(db)
  const tables = await db.introspection.getTables()
  if (tables.some(({ name, isView }) => isView && name in loggedTables)) return
  // None twice: the present triggers may have logged a deletion, too, and this may be a second attempt.
  await sql`insert into vacant_position (event_id, category, record_id, updated, at)
    select event_id, category, record_id, updated, at from change_log as old
    where operation = 'delete' and at > ${dialect.now} - 86400
    and not exists (select 1 from vacant_position as vacant where
      vacant.event_id = old.event_id and vacant.category = old.category
      and vacant.updated = old.updated and vacant.record_id = old.record_id)`.execute(db)
  // With the changes of an event, its deletions are pruned. Those from before have left none.
  await sql`insert into event_change (event_id, at, mark)
    select distinct event_id, ${dialect.now}, 0 from deletion`.execute(db)
  await sql`drop table change_log`.execute(db)
  await sql`drop table if exists change_log_horizon`.execute(db)
}

/** Some of these names are those of present triggers, which have replaced the former ones. */
const formerTriggers = [
  ...["organization", "event", "account"].map((table) => `${table}_before_update`),
  ...Object.keys(loggedTables).flatMap((table) => [
    `${table}_before_update`,
    ...["insert", "update", "delete"].map((operation) => `${table}_log_${operation}`),
  ]),
  ...partsOfGuests.flatMap((table) =>
    ["insert", "update", "delete"].map((operation) => `${table}_before_${operation}`)
  ),
]
