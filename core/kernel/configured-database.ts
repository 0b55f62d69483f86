import type { Config } from "../config/read.ts"
import type { Database, DatabaseOptions } from "../data/database.ts"
import { openDatabase, targetOf } from "../data/open.ts"

type Configured = {
  readonly database: Pick<Config["database"], "url" | "connections" | "time_limit" | "replicas">
}

/** The use of a database that others may use too. */
export interface DatabaseUse {
  readonly database: Database
  /** Ends this use. Closes the database if it was the last one. Later calls do nothing. */
  release(): Promise<void>
}

/**
 * The open databases of a process. Configurations that open the same database with equal settings
 * share it: a reload then opens no connection, however long the old configuration still needs its own.
 */
export class Databases {
  readonly #open = new Map<string, { readonly opening: Promise<Database>; uses: number }>()

  /** Opens the database that a configuration names, unless it is open. @throws as `openDatabase` does. */
  async use(
    config: Configured,
    onStatement?: DatabaseOptions["onStatement"],
  ): Promise<DatabaseUse> {
    const { url, connections, time_limit: timeLimit, replicas } = config.database
    const key = JSON.stringify([targetOf(url), replicas, connections, timeLimit])
    const shared = this.#open.get(key) ?? { opening: openConfigured(config, onStatement), uses: 0 }
    this.#open.set(key, shared)
    shared.uses++
    let isReleased = false
    const release = async () => {
      if (isReleased) return
      isReleased = true
      if (--shared.uses > 0) return
      this.#open.delete(key)
      await (await shared.opening).close()
    }
    try {
      return { database: await shared.opening, release }
    } catch (error) {
      this.#open.delete(key)
      throw error
    }
  }
}

/** Runs `work` on the database that a configuration names, and closes it. */
export async function withConfigured<T>(
  config: Configured,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openConfigured(config)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

async function openConfigured(
  { database: { url, connections, time_limit: timeLimit, replicas } }: Configured,
  onStatement?: DatabaseOptions["onStatement"],
): Promise<Database> {
  return await openDatabase(url, {
    connections,
    timeLimit,
    replicas,
    ...onStatement && { onStatement },
  })
}
