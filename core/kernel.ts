import { Sessions } from "./auth/sessions.ts"
import type { Config } from "./config/read.ts"
import { hasDemonstrationAccounts } from "./data/accounts.ts"
import type { Database, DatabaseOptions } from "./data/database.ts"
import { pendingMigrations } from "./data/migrate.ts"
import { openDatabase } from "./data/open.ts"
import { type App, createApp } from "./http/app.ts"
import type { Log } from "./log.ts"
import { isLoopback } from "./loopback.ts"

/** A running service, without a port: `fetch` answers requests. */
export interface Kernel {
  readonly config: Config
  readonly database: Database
  readonly fetch: App
  /** Closes what was opened, in reverse. */
  close(): Promise<void>
}

export interface KernelOptions {
  readonly log: Log
  readonly onStatement?: DatabaseOptions["onStatement"]
  /** Runs once the database is open and before it is judged: to migrate it, to fill it. */
  readonly prepare?: (database: Database) => Promise<void>
}

/**
 * Starts the service that a configuration describes:
 *
 * 1. load: the configuration has been read, its plugins imported (`readConfig`)
 * 2. validate: each plugin's settings by its own schema (`readConfig`)
 * 3. mount: declarations become routes; conflicts are refused (`mountPlugins`)
 * 4. freeze: nothing is added from here on
 * 5. open the database and judge it: migrated, and no well-known password within reach
 * 6. serve: `fetch` answers
 *
 * @throws {Error} saying what is missing; what was opened by then is closed again.
 */
export async function startKernel(config: Config, options: KernelOptions): Promise<Kernel> {
  const { url, connections, time_limit: timeLimit } = config.database
  const { onStatement } = options
  const database = await openDatabase(url, {
    connections,
    timeLimit,
    ...(onStatement ? { onStatement } : {}),
  })
  try {
    await options.prepare?.(database)
    await judge(database, config)
    const { secrets, lifetime, cookie } = config.session
    const secure = !isPlainLoopback(config)
    const sessions = new Sessions(database, { secrets, lifetime, cookie, secure })
    const fetch = createApp(config.routes, { database, sessions, log: options.log })
    return Object.freeze({ config, database, fetch, close: () => database.close() })
  } catch (error) {
    await database.close()
    throw error
  }
}

async function judge(database: Database, { server }: Config): Promise<void> {
  const pending = await pendingMigrations(database)
  if (pending.length > 0) {
    throw new Error(
      `The database lacks ${
        pending.join(", ")
      }. Nothing was started. Run "event-export migrate" first.`,
    )
  }
  if (!isLoopback(server.host) && await hasDemonstrationAccounts(database)) {
    throw new Error(
      `The database has demonstration accounts, whose password everyone knows, and server.host ${server.host} is not loopback. ` +
        `Nothing was started. Listen on 127.0.0.1, or disable the accounts with "event-export account disable".`,
    )
  }
}

function isPlainLoopback({ server }: Config): boolean {
  if (!server.publicUrl) return isLoopback(server.host)
  const { protocol, hostname } = new URL(server.publicUrl)
  return protocol === "http:" && isLoopback(hostname)
}
