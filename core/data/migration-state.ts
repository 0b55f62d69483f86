import { type Kysely, sql, type TableMetadata } from "kysely"
import { DEFAULT_MIGRATION_TABLE, type Migration as Step, Migrator } from "kysely/migration"
import type { Database } from "./database.ts"
import type { Schema } from "./schema.ts"
import { isOf, type Migration, type Storages } from "./storage.ts"

/** Names of migrations. */
export interface MigrationState {
  /** All that the database notes, of all versions and storages. */
  readonly recorded: readonly string[]
  /** Of storages that are on, and of versions before. */
  readonly applied: readonly string[]
  readonly pending: readonly string[]
  /** Those that this version does not know: a later one has applied them. */
  readonly later: readonly string[]
  /** Of a database of a version before 1.1: those that it lacks of that version. */
  readonly missing: readonly string[]
}

/** Returns which migrations have been applied, and which have not. Without `tables`, it reads them. */
export async function migrationState(
  { writer, storages }: Pick<Database, "writer" | "storages">,
  tables?: Tables,
): Promise<MigrationState> {
  const recorded = await recordedMigrations(writer, tables)
  const known = Object.keys(migrationsOf(storages)).sort()
  const former = formerOf(storages)
  const unknown = recorded.filter((name) => ![...known, ...former].includes(name))
  const missing = former.filter((name) => !recorded.includes(name))
  const isBefore = !recorded.includes(baseline) && missing.length < former.length
  return {
    recorded,
    applied: recorded.filter((name) => !unknown.includes(name)),
    pending: known.filter((name) => !recorded.includes(name)),
    later: unknown.filter((name) => !isOff(storages, name)),
    missing: isBefore ? missing : [],
  }
}

/** The tables and views of a database, those of its migrations among them. */
export type Tables = readonly TableMetadata[]

/** Reads which tables and views there are, and their columns. */
export async function readTables(db: Kysely<Schema>): Promise<Tables> {
  return await db.introspection.getTables({ withInternalKyselyTables: true })
}

/** Returns the names of all migrations that the database notes, of all versions and storages. */
export async function recordedMigrations(db: Kysely<Schema>, found?: Tables): Promise<string[]> {
  const tables = found ?? await readTables(db)
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return []
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/**
 * Returns what applies the migrations of the storages that are on, in a database that has the `recorded` ones. It also
 * notes the migrations of versions before, unless a storage is off that they were about: those versions serve
 * a database that has them all.
 */
export function migratorOf(
  { migrator, dialect, storages }: Pick<Database, "migrator" | "dialect" | "storages">,
  recorded: readonly string[],
): Migrator {
  const steps: Record<string, Step> = {}
  for (const name of formerOf(storages)) if (!isOff(storages, name)) steps[name] = nothing
  for (const name of recorded) if (isOff(storages, name)) steps[name] = nothing
  for (const { migrations, former = [] } of storages.on) {
    // A new database notes the former ones before it has their tables. The first creates only what is missing.
    const isDone = former.length > 0 && !recorded.includes(baseline) &&
      former.every((name) => recorded.includes(name))
    for (const [index, [name, migration]] of Object.entries(migrations).entries()) {
      const isNeeded = index > 0 || !isDone
      steps[name] = isNeeded ? { up: (db) => migration.up(db, dialect) } : nothing
    }
  }
  return new Migrator({
    db: migrator,
    allowUnorderedMigrations: true,
    provider: { getMigrations: () => Promise.resolve(steps) },
  })
}

const nothing: Step = { up: () => Promise.resolve() }

/** Comes before all others, so that a database that has others and not this one is of a version before it. */
const baseline = "0001-baseline"

/** Returns the migrations of the storages that are on, by name. */
export function migrationsOf({ on }: Storages): Readonly<Record<string, Migration>> {
  return Object.assign({}, ...on.map(({ migrations }) => migrations))
}

function isOff({ off }: Storages, name: string): boolean {
  return off.some((storage) => isOf(storage, name))
}

function formerOf({ on }: Storages): string[] {
  return [...new Set(on.flatMap(({ former = [] }) => former))].sort()
}
