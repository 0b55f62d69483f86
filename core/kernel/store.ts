import type { ChangeLogOptions } from "../change-log/change-log.ts"
import type { Config } from "../config/read.ts"
import type { Database, DatabaseOptions } from "../data/database.ts"
import { UserError } from "../errors.ts"
import type { Log } from "../log.ts"
import type { Nodes } from "../request/nodes.ts"
import { databaseAccessOf, listStorages, openConfigured } from "./configured-database.ts"
import { findObstacles } from "./obstacles.ts"

/** The database of a process, and what requests are read from. All its configurations use it: only a restart changes it. */
export interface Store {
  readonly database: Database
  readonly nodes: Nodes
  /** Ends the background work and closes the database. */
  close(): Promise<void>
}

export interface StoreOptions {
  readonly log: Log
  readonly onStatement?: DatabaseOptions["onStatement"]
  /** Runs after the database is opened and before it is checked: to migrate it, to fill it. */
  readonly prepare?: (database: Database) => Promise<void>
  /** The interval of looks at the change log, if not the usual one. */
  readonly changes?: Pick<ChangeLogOptions, "every"> | undefined
}

/**
 * Opens the database that a configuration names, prepares it if asked to, and checks it: it must have every table and
 * column, and nobody may be able to log in with a well-known password.
 *
 * @throws {Error} naming what is missing. Everything that was opened is closed again.
 */
export async function openStore(
  config: Pick<Config, "server" | "database" | "capabilities">,
  { log, onStatement, prepare, changes }: StoreOptions,
): Promise<Store> {
  const database = await openConfigured(config, listStorages(config), onStatement)
  try {
    await database.ping()
    await prepare?.(database)
    const obstacles = await findObstacles(database, config)
    if (obstacles.length > 0) {
      throw new UserError(`Nothing was started: ${obstacles.join("; ")}.`)
    }
    const { nodes, close } = await databaseAccessOf(config)
      .openNodes(database, config.database, { log, ...changes })
    return {
      ...{ database, nodes },
      async close() {
        await close()
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}
