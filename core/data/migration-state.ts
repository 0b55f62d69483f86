import { type Kysely, sql, type TableMetadata } from "kysely"
import { DEFAULT_MIGRATION_TABLE, type Migration as Step, Migrator } from "kysely/migration"
import { createBaseline } from "./create-tables.ts"
import type { Database } from "./database.ts"
import type { Schema } from "./schema.ts"
import { isMigrationOf, type Migration, type Storages } from "./storage.ts"

/** Names of migrations. */
export interface MigrationState {
  /** All that are recorded in the database, of all versions and storages. */
  readonly recorded: readonly string[]
  /** Of storages that are on, and of version 1. */
  readonly applied: readonly string[]
  readonly pending: readonly string[]
  /** Those that this version does not know: a later one has applied them. */
  readonly later: readonly string[]
  /** True if the database is of a version before 1.3, which this version cannot migrate. */
  readonly isTooOld: boolean
}

/** Returns which migrations have been applied, and which have not. Without `tables`, it reads them. */
export async function migrationState(
  { writer, storages }: Pick<Database, "writer" | "storages">,
  tables?: ExistingTables,
): Promise<MigrationState> {
  const recorded = await recordedMigrations(writer, tables)
  const known = Object.keys(migrationsOf(storages)).sort()
  const unknown = recorded.filter((name) => !known.includes(name) && !ofVersion1.test(name))
  return {
    recorded,
    applied: recorded.filter((name) => !unknown.includes(name)),
    pending: known.filter((name) => !recorded.includes(name)),
    later: unknown.filter((name) => !storages.off.some((storage) => isMigrationOf(storage, name))),
    isTooOld: recorded.some((name) => ofVersion1.test(name)) && !recorded.includes(lastOfVersion1),
  }
}

/** The migrations of version 1: all but the kernel's begin with the name of a capability. */
const ofVersion1 = /^0\d{3}-|-0\d{3}$/

/** The last one of the kernel, of version 1.3. */
const lastOfVersion1 = "0022-far-times"

/** The tables and views of a database, with those of its migrations. */
export type ExistingTables = readonly TableMetadata[]

/** Reads which tables and views there are, and their columns. */
export async function readTables(db: Kysely<Schema>): Promise<ExistingTables> {
  return await db.introspection.getTables({ withInternalKyselyTables: true })
}

/** Returns the names of all migrations that are recorded in the database, of all versions and storages. */
export async function recordedMigrations(
  db: Kysely<Schema>,
  found?: ExistingTables,
): Promise<string[]> {
  const tables = found ?? await readTables(db)
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return []
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** Returns what applies the migrations of the storages that are on, in a database that has the `recorded` ones. */
export function migratorOf(
  { migrator, dialect, storages }: Pick<Database, "migrator" | "dialect" | "storages">,
  recorded: readonly string[],
): Migrator {
  // Those of version 1, and of storages that are off, stay recorded: versions that know them may continue.
  const nothing: Step = { up: () => Promise.resolve() }
  const steps = Object.fromEntries(recorded.map((name) => [name, nothing]))
  for (const [name, { up }] of Object.entries(migrationsOf(storages))) {
    steps[name] = { up: (db) => up(db, dialect) }
  }
  return new Migrator({
    db: migrator,
    allowUnorderedMigrations: true,
    provider: { getMigrations: () => Promise.resolve(steps) },
  })
}

/** Comes before all others: tables of capabilities refer to the kernel's. */
export const kernelBaseline = "2000-kernel"

/** Returns the migrations of the storages that are on, by name. */
function migrationsOf({ on }: Storages): Readonly<Record<string, Migration>> {
  return Object.assign(
    {},
    ...on.map(({ name, tables, fill, migrations }) => ({
      [name === "kernel" ? kernelBaseline : `${name}-2000`]: createBaseline(tables, fill),
      ...migrations,
    })),
  )
}
