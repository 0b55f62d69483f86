import type { Database } from "./database.ts"
import { type ExistingTables, migrationState, readTables } from "./migration-state.ts"
import { tablesOf } from "./storage.ts"

/**
 * Lists what the database lacks: pending migrations; or else tables as `guest`, and columns as `guest.mobile`. Without
 * `found`, it reads the tables.
 */
export async function findMissing(database: Database, found?: ExistingTables): Promise<string[]> {
  const tables = found ?? await readTables(database.writer)
  const { pending } = await migrationState(database, tables)
  if (pending.length > 0) return pending.map((name) => `migration ${name}`)
  const present = new Map(
    tables.map(({ name, columns }) => [name, new Set(columns.map((column) => column.name))]),
  )
  return Object.entries(tablesOf(database.storages)).flatMap(([name, { columns }]) => {
    const existing = present.get(name)
    if (!existing) return [name]
    return Object.keys(columns).filter((column) => !existing.has(column))
      .map((column) => `${name}.${column}`)
  })
}

/**
 * Describes tables of another program under names that the service needs: they lack most of the columns. Undefined if
 * there are none.
 */
export function describeStrangers(
  { storages }: Pick<Database, "storages">,
  tables: ExistingTables,
): string | undefined {
  const needed = tablesOf(storages)
  const names = tables.filter(({ name, columns }) => {
    const expected = Object.keys(needed[name]?.columns ?? {})
    const found = columns.filter((column) => expected.includes(column.name))
    return found.length < expected.length / 2
  }).map(({ name }) => name)
  if (names.length === 0) return undefined
  return `the database has tables of another program under names that the service needs: ${
    names.join(", ")
  }. Give the service a database of its own`
}

/** Describes the views in the place of tables, which version 1 could serve; undefined if there are none. */
export function describeViews(
  { storages }: Pick<Database, "storages">,
  tables: ExistingTables,
): string | undefined {
  const needed = tablesOf(storages)
  const views = tables.filter(({ name, isView }) => isView && name in needed).map(({ name }) =>
    name
  )
  if (views.length === 0) return undefined
  return `in the database, ${
    views.join(", ")
  } are views, and only tables of the service can be served: drop the ` +
    `views, run "event-export migrate", and let "connect" fill the tables`
}
