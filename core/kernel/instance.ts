import { Activity } from "../access/activity.ts"
import { LogIn } from "../access/log-in.ts"
import { Sessions } from "../access/sessions.ts"
import type { Config } from "../config/read.ts"
import type { Plan } from "../routes/plan.ts"
import { Gate } from "../access/gate.ts"
import { hasDemonstrationAccounts } from "../access/accounts.ts"
import type { Database, DatabaseOptions } from "../data/database.ts"
import { openConfigured } from "./configured-database.ts"
import { findMissing, findUnusable } from "../data/check-tables.ts"
import { hasLoggedTables, tables } from "../records/tables.ts"
import { Versions } from "../change-log/versions.ts"
import { AuditTrail } from "../observe/audit-trail.ts"
import type { Answered } from "../request/facts.ts"
import { type App, createApp, type Peer } from "../request/app.ts"
import { Cursors } from "../request/listing/cursor.ts"
import { Limits } from "../request/limits.ts"
import { EntityTags } from "../http/etag.ts"
import { Pages } from "../request/listing/page-cache.ts"
import type { Log } from "../log.ts"
import { catalogueFor, summariesOf } from "../request/catalogue.ts"
import type { ServiceNumbers } from "../observe/metrics/service-metrics.ts"
import { isLoopback, isPlainLoopback } from "../http/loopback.ts"
import { ReadinessCheck } from "./readiness.ts"
import type { Readiness } from "../routes/contract.ts"
import { describeService } from "./status.ts"
import type { ReloadOutcome, Status } from "../routes/contract.ts"

/** A running service, without a port: `fetch` answers requests. */
export interface Kernel {
  readonly config: Plan
  readonly database: Database
  readonly sessions: Sessions
  readonly fetch: App
  status(): Status
  readiness(): Promise<Readiness>
  /** What metrics tell of it. */
  numbers(): Promise<ServiceNumbers>
  /** Lets running requests finish, then closes what was opened. New requests go elsewhere. */
  close(): Promise<void>
}

export interface KernelOptions {
  readonly log: Log
  readonly onStatement?: DatabaseOptions["onStatement"]
  /** Runs once the database is open and before it is judged: to migrate it, to fill it. */
  readonly prepare?: (database: Database) => Promise<void>
  /** The last reload, of a service that knows reloads. */
  readonly lastReload?: () => ReloadOutcome | null
  /** True once the process has been asked to end. */
  readonly draining?: () => boolean
  /** Learns of every request that has been answered. */
  readonly onAnswer?: (answered: Answered) => void
  /** True where it wants the laps of stopwatches. */
  readonly keepLaps?: boolean
}

/**
 * Starts the service that a configuration describes:
 *
 * 1. load: the configuration has been read, its plugins imported (`readPlan`)
 * 2. validate: each plugin's settings by its own schema (`readPlan`)
 * 3. mount: declarations become routes; conflicts are refused (`mountPlugins`)
 * 4. freeze: nothing is added from here on
 * 5. open the database and judge it: it has what is needed, and no well-known password within reach
 * 6. serve: `fetch` answers
 *
 * @throws {Error} saying what is missing; what was opened by then is closed again.
 */
export async function startKernel(config: Plan, options: KernelOptions): Promise<Kernel> {
  const { log, onStatement, lastReload = () => null, draining = () => false } = options
  const { onAnswer = () => {}, keepLaps = false } = options
  const database = await openConfigured(config, onStatement)
  try {
    await options.prepare?.(database)
    await judge(database, config)
    const { secrets, lifetime, idle, cookie } = config.session
    const secure = !isPlainLoopback(config.server)
    const sessions = new Sessions(database, { secrets, lifetime, idle, cookie, secure })
    const activity = new Activity(database, log)
    const audit = new AuditTrail(database, log)
    const versions = new Versions(database, { log })
    const kept = await hasLoggedTables(database) ? config.cache.pages * megabyte : 0
    const since = Math.floor(Date.now() / 1000)
    const { version } = database.dialect
    const status = () =>
      describeService(config, {
        database: version,
        since,
        lastReload: lastReload(),
      })
    const summaries = summariesOf(config)
    const catalogue = catalogueFor(config.routes, { database, cookie, summaries })
    const check = new ReadinessCheck(database, config, { lastReload, draining })
    const readiness = () => check.readiness()
    const app = createApp(config.routes, {
      gate: new Gate(database),
      sessions,
      cursors: new Cursors(secrets),
      pages: new Pages(database, { versions, tags: new EntityTags(secrets), bytes: kept }),
      polling: config.polling,
      logIn: new LogIn(database, sessions),
      activity,
      audit,
      limits: new Limits(config.limits),
      log,
      status,
      catalogue,
      readiness,
      onAnswer,
      keepLaps,
      timing: config.server.timing,
      failed: config.failed,
      timeLimit: config.server.time_limit,
    })
    const running = new Running()
    return Object.freeze({
      config,
      database,
      sessions,
      status,
      readiness,
      async numbers() {
        return {
          ready: (await readiness()).ready,
          config: { hash: config.hash, since },
          database: version,
          connections: database.connections,
          batches: { audit: audit.numbers, activity: activity.numbers },
        }
      },
      fetch: (request: Request, peer?: Peer) => running.count(app(request, peer)),
      async close() {
        await running.ended()
        await Promise.all([activity.close(), audit.close(), versions.close()])
        await database.close()
      },
    })
  } catch (error) {
    await database.close()
    throw error
  }
}

const megabyte = 1024 * 1024

/** The requests that are being answered. */
class Running {
  #number = 0
  #whenNone: (() => void) | undefined

  async count<T>(work: Promise<T>): Promise<T> {
    this.#number++
    try {
      return await work
    } finally {
      if (--this.#number === 0) this.#whenNone?.()
    }
  }

  async ended(): Promise<void> {
    if (this.#number > 0) await new Promise<void>((resolve) => (this.#whenNone = resolve))
  }
}

async function judge(database: Database, { server }: Config): Promise<void> {
  const missing = await findMissing(database, tables)
  if (missing.length > 0) {
    throw new Error(
      `The database lacks ${missing.join(", ")}. Nothing was started. ` +
        `Run "event-export migrate" first, or bring views of these names and columns.`,
    )
  }
  const wrong = await findUnusable(database, tables)
  if (wrong.length > 0) {
    throw new Error(`The database cannot be read: ${wrong.join("; ")}. Nothing was started.`)
  }
  if (!isLoopback(server.host) && await hasDemonstrationAccounts(database)) {
    throw new Error(
      `The database has demonstration accounts, whose password everyone knows, and server.host ` +
        `${server.host} is not loopback. Nothing was started. Listen on 127.0.0.1, or disable the ` +
        `accounts with "event-export account disable".`,
    )
  }
}
