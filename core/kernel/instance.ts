import type { Sessions } from "../access/sessions.ts"
import type { ChangeLogOptions } from "../change-log/change-log.ts"
import type { Database, DatabaseOptions } from "../data/database.ts"
import { UserError } from "../errors.ts"
import type { Responder } from "../http/answer.ts"
import type { Log } from "../log.ts"
import type { App } from "../request/app.ts"
import type { Observer } from "../request/facts.ts"
import type { Nodes } from "../request/nodes.ts"
import type { Readiness, ReloadOutcome, Status } from "../routes/contract.ts"
import type { Plan } from "../routes/plan.ts"
import { appSettings } from "./app-settings.ts"
import {
  metricsOf,
  openCapabilities,
  recordInBackground,
  type ServiceChange,
} from "./capabilities.ts"
import { capabilitiesOf, type OpenCapability } from "./capability.ts"
import { accessOf, Databases } from "./configured-database.ts"
import { informationOf } from "./information.ts"
import { Kept } from "./kept.ts"
import type { Metric } from "./metric.ts"
import { findObstacles } from "./obstacles.ts"
import { openApp } from "./open-app.ts"
import { openReading, type Reading } from "./open-reading.ts"
import { Recorders, type RecorderTimes } from "./recorders.ts"

/** One configuration in service, without a port. */
export interface Instance {
  readonly config: Plan
  /** Since when it is in force, in Unix seconds. */
  readonly since: number
  readonly database: Database
  readonly nodes: Nodes
  readonly recorders: Recorders
  readonly records: Reading["records"]
  readonly sessions: Sessions
  /** Answers a request. Never throws. */
  readonly answer: Responder
  /** Like `answer`, but returns a `Response`. */
  readonly fetch: App["fetch"]
  /** The same for adapters of Hattip. */
  readonly handler: App["handler"]
  /** Returns the longest body in bytes that a request may have. */
  readonly longestBody: App["longestBody"]
  status(): Status
  readiness(): Promise<Readiness>
  /** The capabilities that are open, by their names. */
  readonly capabilities: ReadonlyMap<string, OpenCapability>
  /** Returns the metrics of its capabilities, as they are now. */
  metrics(): Promise<readonly Metric[]>
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
  /** Called with the facts about each answered request. */
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
    const obstacles = await findObstacles(database, config)
    if (obstacles.length > 0) {
      throw new UserError(`Nothing was started: ${obstacles.join("; ")}.`)
    }
    await options.inspect?.(database)
    return await openInstance(config, { ...options, database, release })
  } catch (error) {
    await release()
    throw error
  }
}

/** What an instance is opened with. */
interface OpenOptions extends InstanceOptions {
  /** It can be served. */
  readonly database: Database
  /** Ends the use of the database. */
  readonly release: () => Promise<void>
}

/** Puts the parts together, and freezes the result: `answer` handles requests from now on. */
async function openInstance(config: Plan, options: OpenOptions): Promise<Instance> {
  const { log, database, release, lastReload = () => null } = options
  const { draining = new AbortController().signal, kept = new Kept(), changes } = options
  const settings = await appSettings(config, database)
  const looks = { isLogged: settings.isLogged, log, ...changes }
  const { nodes, close: closeNodes } = await accessOf(config).openNodes(
    database,
    config.database,
    looks,
  )
  const recorders = new Recorders({ log, drops: kept.drops, times: options.recorderTimes })
  const { batch } = recorders
  const closing = new AbortController()
  const signals = { draining, closing: closing.signal }
  const parts = { ...openReading(settings), plan: config, database, nodes, log, ...signals }
  const recordChange = recordInBackground(capabilitiesOf(config), { database, batch })
  const host = { ...parts, batch, recordChange, every: changes?.every }
  const capabilities = openCapabilities(capabilitiesOf(config), host, kept)
  const info = informationOf({ ...parts, ...settings, recorders, capabilities, lastReload })
  const ready = { ...parts, ...options, ...settings, recorders, capabilities, info }
  const { app, sessions, close } = openApp(ready)
  return Object.freeze({
    config,
    since: info.since,
    database,
    nodes,
    recorders,
    records: parts.records,
    sessions,
    status: info.status,
    readiness: info.readiness,
    capabilities,
    metrics: () => metricsOf(capabilities.values()),
    recordChange,
    answer: app.answer.bind(app),
    fetch: app.fetch.bind(app),
    handler: app.handler,
    longestBody: app.longestBody.bind(app),
    closing: closing.signal,
    async close() {
      closing.abort()
      const following = closeNodes()
      await close()
      await following
      await release()
    },
  })
}
