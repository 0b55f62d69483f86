import type { Config } from "../config/read.ts"
import type { Database } from "../data/database.ts"
import { loggedTables, trackedTables } from "../data/triggers.ts"

/**
 * Returns the views in the place of tables whose changes should be logged: views have no triggers. Returns none
 * if the operator's own triggers log the changes.
 */
export async function findUnloggedViews(
  { writer }: Database,
  { database: { own_triggers } }: Pick<Config, "database">,
): Promise<string[]> {
  if (own_triggers) return []
  const found = await writer.introspection.getTables()
  const views = found.filter(({ isView }) => isView).map(({ name }) => name)
  return views.filter((name) => trackedTables.includes(name))
}

/** Returns true if every record has a version: views may lack them. */
export async function haveVersions({ writer }: Database): Promise<boolean> {
  const found = await writer.introspection.getTables()
  const versioned = found.filter(({ columns }) =>
    columns.some(({ name }) => name === "export_version")
  )
  return Object.keys(loggedTables).every((table) => versioned.some(({ name }) => name === table))
}
