import type { Config } from "../config/read.ts"
import type { Database } from "../data/database.ts"
import { readTables, type Tables } from "../data/migration-state.ts"
import { loggedTables, trackedTables } from "../data/triggers.ts"

/**
 * Returns the views in the place of tables whose changes should be logged: views have no triggers. Returns none
 * if the operator's own triggers log the changes. Without `tables`, it reads them.
 */
export async function findUnloggedViews(
  { writer }: Database,
  { database: { own_triggers } }: Pick<Config, "database">,
  found?: Tables,
): Promise<string[]> {
  if (own_triggers) return []
  const tables = found ?? await readTables(writer)
  const views = tables.filter(({ isView }) => isView).map(({ name }) => name)
  return views.filter((name) => trackedTables.includes(name))
}

/** Returns true if every record has a version: views may lack them. */
export function haveVersions(tables: Tables): boolean {
  const versioned = tables.filter(({ columns }) =>
    columns.some(({ name }) => name === "export_version")
  )
  return Object.keys(loggedTables).every((table) => versioned.some(({ name }) => name === table))
}
