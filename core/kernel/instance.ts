import { performance } from "node:perf_hooks"
import type { Change } from "../access/changes.ts"
import { findSessionEnds } from "../access/session-list.ts"
import type { Sessions } from "../access/sessions.ts"
import type { ChangeLogOptions } from "../change-log/change-log.ts"
import type { Database, DatabaseOptions } from "../data/database.ts"
import { OverdueCounts } from "../disclosures/overdue-counts.ts"
import { UserError } from "../errors.ts"
import type { Responder } from "../http/answer.ts"
import type { Log } from "../log.ts"
import type { AuditTimes } from "../observe/audit-trail.ts"
import type { ServiceNumbers } from "../observe/metrics/service-metrics.ts"
import type { PartnerNumbers } from "../partners/partner-numbers.ts"
import { findUnloggedViews, haveVersions } from "../records/tables.ts"
import type { App } from "../request/app.ts"
import { makeCatalogueFinder, summariesOf } from "../request/catalogue.ts"
import type { Observer } from "../request/facts.ts"
import { Queues } from "../request/queues.ts"
import type { Readiness, ReloadOutcome, Status } from "../routes/contract.ts"
import type { Plan } from "../routes/plan.ts"
import { withoutDeletions } from "../routes/without-deletions.ts"
import { checkDraft } from "./check-draft.ts"
import { Databases } from "./configured-database.ts"
import { Failovers } from "./failovers.ts"
import { describeNodes } from "./node-status.ts"
import { numbersOf } from "./numbers.ts"
import { PartnerWatch } from "./partner-watch.ts"
import { findObstacles } from "./obstacles.ts"
import { type Drops, openApp } from "./open-app.ts"
import { operationsOf } from "./operations.ts"
import { ReadinessCheck } from "./readiness.ts"
import { describeService } from "./status.ts"

/** One configuration in service, without a port. */
export interface Instance {
  readonly config: Plan
  readonly database: Database
  readonly sessions: Sessions
  /** Answers a request. Never throws. */
  readonly answer: Responder
  /** Like `answer`, but returns a `Response`. */
  readonly fetch: App["fetch"]
  /** Returns the longest body in bytes that a request may have. */
  readonly longestBody: App["longestBody"]
  status(): Status
  readiness(): Promise<Readiness>
  /** The figures that metrics show. */
  numbers(): Promise<Omit<ServiceNumbers, "lostLines">>
  /** Records a change in the audit log, in the background. */
  recordChange(change: Change): void
  /** How partners are doing, as metrics show it; undefined if the database cannot say. */
  partners(): Promise<PartnerNumbers | undefined>
  /** Answers the requests that wait for something new, and lets no more wait. */
  drain(): void
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
  /** Count the entries that are dropped, over all configurations of the process. */
  readonly drops?: Drops
  readonly auditTimes?: AuditTimes
  /** How often the change log is looked at, if not as usual. */
  readonly changes?: Pick<ChangeLogOptions, "every">
}

/**
 * Starts a plan, which `readPlan` has loaded, checked and mounted:
 *
 * 1. opens the database, unless another instance has, and prepares it if asked to
 * 2. checks it: it has every table and column, and nobody can log in with a well-known password
 * 3. puts the parts of the app together (`openApp`)
 * 4. freezes the result: `answer` handles requests from now on
 *
 * @throws {Error} naming what is missing. Everything that was opened is closed again.
 */
export async function startInstance(config: Plan, options: InstanceOptions): Promise<Instance> {
  const { log, onStatement, lastReload = () => null, draining = new AbortController().signal } =
    options
  const { observers = [], keepLaps = false, drops, auditTimes } = options
  const { databases = new Databases() } = options
  const { database, release } = await databases.use(config, onStatement)
  try {
    await database.ping()
    await options.prepare?.(database)
    const obstacles = await findObstacles(database, config)
    if (obstacles.length > 0) {
      throw new UserError(`Nothing was started: ${obstacles.join("; ")}.`)
    }
    await options.inspect?.(database)
    const { cookie } = config.session
    const isLogged = (await findUnloggedViews(database, config)).length === 0
    const routes = isLogged ? config.routes : withoutDeletions(config.routes)
    const closing = new AbortController()
    const since = Math.floor(Date.now() / 1000)
    const { version } = database.dialect
    const nodeStatus = () => describeNodes(database, nodes)
    const status = () =>
      describeService(config, {
        database: version,
        nodes: nodeStatus(),
        since,
        lastReload: lastReload(),
      })
    const summaries = summariesOf(config)
    const numbers = (username?: string) => numbersOf(config, username)
    const catalogue = makeCatalogueFinder(routes, { database, cookie, summaries, numbers })
    const check = new ReadinessCheck(database, config, {
      lastReload,
      draining: () => draining.aborted,
      audit: () => audit.state === "ok" ? trail.state : audit.state,
      triggers: () => nodes.changes.isBlind ? "faulty" : "ok",
      ping: () => nodes.assertAnyFit(),
      isCutOff: () => nodes.isCutOff,
    })
    const overdue = new OverdueCounts(database, config.disclosures.overdue)
    const readiness = () => check.readiness()
    const drafts = new Queues()
    const operations = operationsOf(
      { database, readable: () => nodes.best.database },
      config,
      async (text) => {
        using _ = await drafts.enter("check", 1)
        return await checkDraft(database, config, text)
      },
    )
    const sessionEnds = remembered(() => findSessionEnds(database).catch(() => undefined))
    const { app, sessions, audit, trail, nodes, records, waiting, batches, close } = await openApp(
      database,
      {
        routes,
        failed: config.failed,
        session: config.session,
        limits: config.limits,
        trustProxy: config.server.trust_proxy,
        accountLimits: limitsOf(config.accounts),
        mostWaiting: config.server.waiting,
        polling: { ...config.polling, accounts: intervalsOf(config.accounts) },
        cache: {
          pages: config.cache.pages * megabyte,
          records: await haveVersions(database) ? config.cache.records * megabyte : 0,
        },
        changes: { isLogged, ...options.changes },
        staleness: config.database.replicas?.staleness,
        exports: {
          records: config.export.records,
          seconds: config.export.seconds,
          concurrent: config.export.concurrent,
          concurrentPerAccount: config.export.concurrent_per_account,
        },
        draining,
        timeLimit: config.server.time_limit,
        info: { status, readiness, catalogue, operations },
        audit: { required: config.audit.required, ...auditTimes },
        ...drops && { drops },
        log,
        observers,
        keepLaps,
        timing: config.server.timing,
      },
    )
    const { retention } = config.polling
    const watch = new PartnerWatch(database, { retention, log })
    const recordChange = audit.recordChange.bind(audit)
    const failovers = database.servers && new Failovers(database.servers, { log, recordChange })
    return Object.freeze({
      config,
      database,
      sessions,
      status,
      readiness,
      async numbers() {
        const { ready, database: fitness, primary } = await readiness()
        return {
          ready,
          databaseState: primary === "ok" ? fitness : primary,
          config: { hash: config.hash, since, refused: lastReload()?.result === "refused" },
          database: version,
          connections: database.connections,
          batches: batches(),
          changes: nodes.changes.numbers,
          records: records?.numbers,
          waiting: waiting.numbers,
          sessionEnds: await sessionEnds(),
          overdue: overdue.latest,
          nodes: failovers && { all: nodeStatus() ?? [], failovers: failovers.count },
        }
      },
      recordChange,
      partners: () => watch.numbers(),
      answer: app.answer.bind(app),
      fetch: app.fetch.bind(app),
      longestBody: app.longestBody.bind(app),
      drain: () => waiting.release(),
      closing: closing.signal,
      async close() {
        closing.abort()
        failovers?.stop()
        await close()
        await release()
      },
    })
  } catch (error) {
    await release()
    throw error
  }
}

/** Returns the limits of accounts, by their names, without what they leave out. */
function limitsOf(accounts: Plan["accounts"]): Record<string, Partial<Plan["limits"]>> {
  return Object.fromEntries(
    Object.entries(accounts).map(([name, { poll_interval: _, ...own }]) => [
      name,
      Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)),
    ]),
  )
}

/** Returns the poll intervals of accounts, by their names. */
function intervalsOf(accounts: Plan["accounts"]): Record<string, number> {
  return Object.fromEntries(
    Object.entries(accounts).flatMap(([name, { poll_interval: own }]) =>
      own === undefined ? [] : [[name, own]]
    ),
  )
}

const megabyte = 1024 * 1024

/** Returns a function that calls `read` at most once in half a minute, however often it is called. */
function remembered<T>(read: () => Promise<T>): () => Promise<T> {
  let until = 0
  let result: Promise<T>
  return () => {
    if (performance.now() < until) return result
    until = performance.now() + 30_000
    return result = read()
  }
}
