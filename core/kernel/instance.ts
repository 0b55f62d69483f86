import type { ChangeLogOptions } from "../change-log/change-log.ts"
import type { Database, DatabaseOptions } from "../data/database.ts"
import { readTables, type Tables } from "../data/migration-state.ts"
import { UserError } from "../errors.ts"
import type { Responder } from "../http/answer.ts"
import type { Log } from "../log.ts"
import type { App } from "../request/app.ts"
import type { Observer } from "../request/exchange.ts"
import { findUnloggedViews, haveVersions } from "../records/tables.ts"
import type { ReloadOutcome } from "../routes/contract.ts"
import type { Plan } from "../routes/plan.ts"
import { withoutDeletions } from "../routes/mount.ts"
import { Kept, openCapabilities, recordInBackground } from "./capabilities.ts"
import {
  capabilitiesOf,
  type InService,
  type OpenCapability,
  type ServiceChange,
} from "./capability.ts"
import { databaseAccessOf, Databases } from "./configured-database.ts"
import { informationOf } from "./information.ts"
import { findObstacles } from "./obstacles.ts"
import { openApp } from "./open-app.ts"
import { openReading } from "./open-reading.ts"
import { type Drops, Recorders, type RecorderTimes } from "./recorders.ts"

/** One configuration in service, without a port. */
export interface Instance extends InService {
  /** Answers a request. Never throws. */
  readonly answer: Responder
  /** Like `answer`, but returns a `Response`. */
  readonly fetch: App["fetch"]
  /** The same for adapters of Hattip. */
  readonly handler: App["handler"]
  /** Returns the longest body in bytes that a request may have. */
  readonly longestBody: App["longestBody"]
  /** The capabilities that are open, by their names. */
  readonly capabilities: ReadonlyMap<string, OpenCapability>
  /** Records a change that the service makes of its own accord, in the background. */
  recordChange(change: ServiceChange): void
  /** Aborts when the instance begins to close. */
  readonly closing: AbortSignal
  /** Lets running requests finish, then closes everything. New requests must go elsewhere. */
  close(): Promise<void>
}

export interface InstanceOptions {
  readonly log: Log
  /** The open databases, which it may share. */
  readonly databases?: Databases
  readonly onStatement?: DatabaseOptions["onStatement"]
  /** Runs after the database is opened and before it is checked: to migrate it, to fill it. */
  readonly prepare?: (database: Database) => Promise<void>
  /** Runs once the database is known to be servable. */
  readonly inspect?: (database: Database) => Promise<void>
  /** Returns the outcome of the last reload; null if there was none. */
  readonly lastReload?: () => ReloadOutcome | null
  /** Aborts when the process is asked to end. */
  readonly draining?: AbortSignal
  /** Called with the record of each answered request. */
  readonly observers?: readonly Observer[]
  /** True if an observer needs the laps of stopwatches. */
  readonly keepLaps?: boolean
  /** What the process keeps while configurations come and go. */
  readonly kept?: Kept
  /** How entries are recorded, if not as usual. */
  readonly recorderTimes?: RecorderTimes
  /** How often the change log is looked at, if not as usual. */
  readonly changes?: Pick<ChangeLogOptions, "every">
}

/**
 * Starts a plan, which `readPlan` has loaded, checked and mounted: opens the database, unless another instance
 * has, prepares it if asked to, and checks it. It must have every table and column, and nobody may be able to log in
 * with a well-known password. Then opens the instance.
 *
 * @throws {Error} naming what is missing. Everything that was opened is closed again.
 */
export async function startInstance(config: Plan, options: InstanceOptions): Promise<Instance> {
  const { databases = new Databases(), onStatement } = options
  const { database, release } = await databases.use(config, onStatement)
  try {
    await database.ping()
    await options.prepare?.(database)
    const tables = await readTables(database.writer)
    const obstacles = await findObstacles(database, config, tables)
    if (obstacles.length > 0) {
      throw new UserError(`Nothing was started: ${obstacles.join("; ")}.`)
    }
    await options.inspect?.(database)
    return await openInstance(config, { ...options, database, tables, release })
  } catch (error) {
    await release()
    throw error
  }
}

interface OpenOptions extends InstanceOptions {
  /** It can be served. */
  readonly database: Database
  readonly tables: Tables
  /** Ends the use of the database. */
  readonly release: () => Promise<void>
}

/** Puts the parts together, and freezes the result: `answer` handles requests from now on. */
async function openInstance(config: Plan, options: OpenOptions): Promise<Instance> {
  const { log, database, tables, release, lastReload = () => null, observers, keepLaps } = options
  const { draining = new AbortController().signal, kept = new Kept(), changes } = options
  const isLogged = (await findUnloggedViews(database, config, tables)).length === 0
  const reading = openReading(config, sizesOf(config, tables))
  const looks = { isLogged, log, ...changes }
  const { nodes, close: closeNodes } = await databaseAccessOf(config)
    .openNodes(database, config.database, looks)
  const drops = kept.get("drops", (): Drops => new Map())
  const recorders = new Recorders(log, drops, options.recorderTimes)
  const { batch } = recorders
  const on = capabilitiesOf(config)
  const recordChange = recordInBackground(on, { database, batch })
  const closing = new AbortController()
  const signals = { draining, closing: closing.signal }
  const host = { ...reading, ...signals, plan: config, database, nodes, log, batch, recordChange }
  let capabilities: Instance["capabilities"]
  try {
    capabilities = openCapabilities(on, { ...host, every: changes?.every }, kept)
  } catch (error) {
    await closeNodes()
    throw error
  }
  const routes = isLogged ? config.routes : withoutDeletions(config.routes)
  const parts = { ...host, routes, recorders, capabilities }
  const info = informationOf({ ...parts, lastReload })
  const { app, close } = openApp({ ...parts, info, observers, keepLaps })
  return Object.freeze({
    config,
    since: info.since,
    database,
    nodes,
    recorders,
    livePages: reading.livePages,
    status: info.status,
    readiness: info.readiness,
    capabilities,
    metrics: () => metricsOf(capabilities),
    recordChange,
    answer: app.answer.bind(app),
    fetch: app.fetch.bind(app),
    handler: app.handler,
    longestBody: app.longestBody.bind(app),
    closing: closing.signal,
    async close() {
      closing.abort()
      try {
        await Promise.all([closeNodes(), close()])
      } finally {
        await release()
      }
    },
  })
}

/** Returns the bytes that pages and lists may take in memory. */
function sizesOf({ cache }: Plan, tables: Tables) {
  const megabyte = 1024 * 1024
  const pages = cache.pages * megabyte
  return { pages, records: haveVersions(tables) ? cache.records * megabyte : 0 }
}

async function metricsOf(capabilities: Instance["capabilities"]) {
  const all = [...capabilities.values()].map((each) => each.metrics?.() ?? [])
  return (await Promise.all(all)).flat()
}
