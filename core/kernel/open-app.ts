import { Activity } from "../access/activity.ts"
import { Gate } from "../access/admission.ts"
import { LogIn } from "../access/log-in.ts"
import { Sessions, type SessionSettings } from "../access/sessions.ts"
import type { ChangeLog, ChangeLogOptions } from "../change-log/change-log.ts"
import type { BatchNumbers, DropCount } from "../data/batch.ts"
import type { Database } from "../data/database.ts"
import { EntityTags } from "../http/representation.ts"
import { Networks } from "../networks.ts"
import { type AuditSettings, AuditTrail } from "../observe/audit-trail.ts"
import { DisclosureTrail } from "../observe/disclosure-trail.ts"
import { ErasureTrail } from "../observe/erasure-trail.ts"
import { recordRefusals } from "../observe/refusals.ts"
import { SyncTrail } from "../observe/sync-trail.ts"
import { RecordCache } from "../records/record-cache.ts"
import { Exports, type ExportSettings } from "../request/exports/answer-export.ts"
import { App, type AppOptions } from "../request/app.ts"
import { Handlers, type ServiceInfo } from "../request/handlers.ts"
import { Limits, type LimitSettings } from "../request/limits.ts"
import { Lists } from "../request/listing/answer-list.ts"
import { Cursors } from "../request/listing/cursor.ts"
import { PageCache } from "../request/listing/page-cache.ts"
import { type Polling, Walks } from "../request/listing/walks.ts"
import { RouteTable } from "../request/route-table.ts"
import { Waiting } from "../request/waiting/waiting.ts"
import type { MountedRoute } from "../routes/contract.ts"
import type { PluginFailure } from "../routes/setup.ts"
import type { Nodes } from "../request/nodes/nodes.ts"
import { openNodes } from "./open-nodes.ts"

/** The routes that an app serves, and its settings. */
interface OpenAppOptions extends AppOptions {
  readonly routes: readonly MountedRoute[]
  /** Optional plugins that failed to load: paths that look like theirs are 503. */
  readonly failed: readonly PluginFailure[]
  readonly session: SessionSettings
  readonly limits: LimitSettings
  /** Limits of single accounts, by their names. */
  readonly accountLimits?: Readonly<Record<string, Partial<LimitSettings>>>
  /** The most requests that wait for something new at the same time. */
  readonly mostWaiting?: number
  /** The networks of the proxies in front. */
  readonly trustProxy?: readonly string[]
  readonly polling: Polling
  /** Bytes that pages and records in memory may take; 0 keeps none. */
  readonly cache: { readonly pages: number; readonly records: number }
  readonly exports: ExportSettings
  /** Aborts when the process is asked to end: responses that are made while they are sent end then. */
  readonly draining?: AbortSignal
  /** Seconds that a handler may take. */
  readonly timeLimit: number
  readonly info: ServiceInfo
  readonly audit: AuditSettings
  /** Count the entries that are dropped, over all configurations of the process. */
  readonly drops?: Drops
  /** How the change log is followed. */
  readonly changes: Pick<ChangeLogOptions, "isLogged" | "every" | "versions">
  /** Seconds that replicas may be behind; undefined if only the primary is read from. */
  readonly staleness?: number | undefined
  /** The database that activity and audit entries are written to, if not the one that is read. */
  readonly written?: Database
  /** False to record nothing about requests; for models that play many thousands of them. */
  readonly recorded?: false
}

/** The counts of the batches that are written in the background. */
export interface Drops {
  readonly audit: DropCount
  readonly activity: DropCount
  readonly disclosures: DropCount
  readonly partners: DropCount
  readonly erasures: DropCount
}

/** Returns counts of nothing yet. */
export function noDrops(): Drops {
  const none = () => ({ dropped: 0 })
  return {
    audit: none(),
    activity: none(),
    disclosures: none(),
    erasures: none(),
    partners: none(),
  }
}

/** An app with its background work. */
interface OpenApp {
  readonly app: App
  readonly sessions: Sessions
  readonly logIn: LogIn
  readonly audit: AuditTrail
  readonly trail: DisclosureTrail
  /** That of the primary, or of any server while there is none. */
  readonly changes: ChangeLog
  readonly nodes: Nodes
  /** The records that are kept; undefined if none are. */
  readonly records: RecordCache | undefined
  readonly waiting: Waiting
  /** Returns the numbers of the batches that are written in the background. */
  batches(): Readonly<Record<keyof Drops, BatchNumbers>>
  /** Waits for running requests, then ends the background work. Leaves the database open. */
  close(): Promise<void>
}

/** Puts the parts of an app together. @throws as the database does. */
export async function openApp(database: Database, options: OpenAppOptions): Promise<OpenApp> {
  const { routes, failed, session, log, timeLimit, info } = options
  const { written = database, drops = noDrops() } = options
  const { secrets } = session
  const sessions = new Sessions(database, session)
  const logIn = new LogIn(database, sessions, { secret: secrets[0] ?? "" })
  const activity = new Activity(written, { log, drops: drops.activity })
  const audit = new AuditTrail(written, { ...options.audit, log, drops: drops.audit })
  const trail = new DisclosureTrail(written, { ...options.audit, log, drops: drops.disclosures })
  const erasures = new ErasureTrail(written, { ...options.audit, log, drops: drops.erasures })
  const assertRecording = () => {
    audit.assertRecording()
    trail.assertRecording()
  }
  const partners = new SyncTrail(written, { log, drops: drops.partners })
  const tags = new EntityTags(secrets)
  const { cache } = options
  const records = cache.records > 0 ? new RecordCache(cache.records) : undefined
  const pages = new PageCache({ tags, bytes: cache.pages, records })
  const { polling } = options
  const walks = new Walks({ cursors: new Cursors(secrets), polling })
  const { nodes, close: closeNodes } = await openNodes(
    database,
    { ...options.changes, log },
    options.staleness,
  )
  const waiting = new Waiting(nodes, {
    log,
    most: options.mostWaiting ?? 500,
    longest: polling.wait ?? 50,
    ...options.changes.every !== undefined && { every: options.changes.every },
  })
  const parts = {
    routes: new RouteTable(routes, failed),
    sessions,
    gate: new Gate(),
    limits: new Limits(options.limits, options.accountLimits),
    near: new Networks(["127.0.0.0/8", "::1", ...options.trustProxy ?? []]),
    activity,
    assertRecording,
    nodes,
    waiting,
    lists: new Lists({ pages, walks }),
    exports: new Exports({
      walks,
      records,
      settings: options.exports,
      draining: options.draining ?? new AbortController().signal,
    }),
    handlers: new Handlers({ sessions, logIn, activity, assertRecording, info, timeLimit }),
  }
  const trails = [audit.record, trail.record, erasures.record, partners.record]
  const observers = [...options.recorded === false ? [] : trails, ...options.observers]
  const onRefusal = recordRefusals(activity)
  const onBegin = options.recorded === false ? undefined : trail.record
  const app = new App(parts, { ...options, observers, onRefusal, ...onBegin && { onBegin } })
  return {
    app,
    sessions,
    logIn,
    audit,
    trail,
    nodes,
    get changes() {
      return nodes.changes
    },
    records,
    waiting,
    batches: () => ({
      audit: audit.numbers,
      activity: activity.numbers,
      disclosures: trail.numbers,
      partners: partners.numbers,
      erasures: erasures.numbers,
    }),
    async close() {
      const released = waiting.close()
      const following = closeNodes()
      await app.close()
      await Promise.all([
        activity.close(),
        audit.close(),
        trail.close(),
        erasures.close(),
        partners.close(),
        following,
        released,
      ])
    },
  }
}
