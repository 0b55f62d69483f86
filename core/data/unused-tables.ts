import { sql } from "kysely"
import { DEFAULT_MIGRATION_TABLE } from "kysely/migration"
import { UserError } from "../errors.ts"
import type { Database } from "./database.ts"
import { migrationState, recordedMigrations } from "./migration-state.ts"
import { isMigrationOf } from "./storage.ts"

/** Finds the tables that are left of storages that are off. Nothing writes them. */
export async function findUnusedTables(
  { writer, storages }: Pick<Database, "writer" | "storages">,
): Promise<{ readonly storage: string; readonly tables: readonly string[] }[]> {
  if (storages.off.length === 0) return []
  const existing = await writer.introspection.getTables()
  return storages.off.map(({ name, tables = {} }) => ({
    storage: name,
    tables: Object.keys(tables).filter((table) => existing.some(({ name }) => name === table)),
  })).filter(({ tables }) => tables.length > 0)
}

/**
 * Drops the tables of storages that are off, and forgets their migrations: if a storage is on again, `migrate` creates
 * its tables again. Calls `report` before each drop.
 *
 * @throws {UserError} if a later version has migrated the database: nothing is dropped then. Also as the database does:
 *   the next call does the rest.
 */
export async function dropUnusedTables(
  database: Database,
  report: (table: string, rows: number, storage: string) => void,
): Promise<void> {
  const { migrator, storages } = database
  const { later } = await migrationState(database)
  if (later.length > 0) {
    throw new UserError(
      `Tables that are not used cannot be dropped: a later version has migrated the database ` +
        `(${later.join(", ")}).`,
    )
  }
  for (const { storage, tables } of await findUnusedTables(database)) {
    const unused = storages.off.filter(({ name }) => name === storage)
    const recorded = await recordedMigrations(migrator)
    const forgotten = recorded.filter((name) => unused.some((each) => isMigrationOf(each, name)))
    // First, so that no migration counts as applied whose tables are gone.
    if (forgotten.length > 0) {
      await sql`delete from ${sql.table(DEFAULT_MIGRATION_TABLE)}
        where name in (${sql.join(forgotten)})`.execute(migrator)
    }
    // In reverse order: later tables may refer to earlier ones.
    for (const table of tables.toReversed()) {
      const { rows: [counted] } = await sql<{ rows: number }>`
        select count(*) as ${sql.ref("rows")} from ${sql.table(table)}`.execute(migrator)
      report(table, Number(counted?.rows), storage)
      await sql`drop table if exists ${sql.table(table)}`.execute(migrator)
    }
  }
}
