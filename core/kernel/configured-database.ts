import type { Config } from "../config/read.ts"
import type { Database, DatabaseOptions } from "../data/database.ts"
import { openDatabase } from "../data/open.ts"

/**
 * Opens the database that a configuration names; the caller closes it.
 *
 * @throws as `openDatabase` does.
 */
export async function openConfigured(
  { database: { url, connections, time_limit: timeLimit } }: Pick<Config, "database">,
  onStatement?: DatabaseOptions["onStatement"],
): Promise<Database> {
  return await openDatabase(url, { connections, timeLimit, ...onStatement && { onStatement } })
}

/** Runs `work` on the database that a configuration names, and closes it. */
export async function withConfigured<T>(
  config: Pick<Config, "database">,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openConfigured(config)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
