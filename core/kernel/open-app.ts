import { Activity } from "../access/activity.ts"
import { Gate } from "../access/admission.ts"
import { LogIn } from "../access/log-in.ts"
import { Sessions, type SessionSettings } from "../access/sessions.ts"
import type { Database } from "../data/database.ts"
import { Networks } from "../networks.ts"
import { App, type AppOptions } from "../request/app.ts"
import { Handlers, type ServiceInfo } from "../request/handlers.ts"
import { Limits, type LimitSettings } from "../request/limits.ts"
import { Lists } from "../request/listing/answer-list.ts"
import type { Nodes } from "../request/nodes.ts"
import { RouteTable } from "../request/route-table.ts"
import type { MountedRoute } from "../routes/contract.ts"
import type { PluginFailure } from "../routes/setup.ts"
import { observersOf, together } from "./capabilities.ts"
import type { OpenCapability } from "./capability.ts"
import type { Reading, ReadingSettings } from "./open-reading.ts"
import type { Recorders } from "./recorders.ts"

/** The routes that an app serves, and its settings. */
export interface AppSettings extends ReadingSettings {
  readonly routes: readonly MountedRoute[]
  /** Optional plugins that failed to load: paths that look like theirs are 503. */
  readonly failed: readonly PluginFailure[]
  readonly session: SessionSettings
  readonly limits: LimitSettings
  /** Limits of single accounts, by their names. */
  readonly accountLimits?: Readonly<Record<string, Partial<LimitSettings>>>
  /** The networks of the proxies in front. */
  readonly trustProxy?: readonly string[]
  /** Seconds that a handler may take. */
  readonly timeLimit: number
  /** Who gets the `Server-Timing` header; never callers without a session. */
  readonly timing: AppOptions["timing"]
}

/** What an app is made of, besides its settings. */
interface AppParts extends AppSettings, Reading, Pick<AppOptions, "log"> {
  readonly database: Database
  /** Closed by the caller. */
  readonly nodes: Nodes
  /** What writes in the background. Closed with the app. */
  readonly recorders: Recorders
  /** Closed with the app. */
  readonly capabilities?: ReadonlyMap<string, OpenCapability>
  readonly info: ServiceInfo
  /** Called with the facts about each answered request. */
  readonly observers?: AppOptions["observers"]
  /** True if an observer needs the laps of stopwatches. */
  readonly keepLaps?: boolean
  /** The database that the last use of accounts is written to, if not the one that is read. */
  readonly written?: Database
}

/** An app with its background work. */
interface OpenApp {
  readonly app: App
  readonly sessions: Sessions
  readonly logIn: LogIn
  /** Waits for running requests, then ends the background work. Leaves the database open. */
  close(): Promise<void>
}

/** Puts the parts of an app together. */
export function openApp(parts: AppParts): OpenApp {
  const { database, nodes, recorders, session, pages, walks, log, capabilities = new Map() } = parts
  const sessions = new Sessions(database, session)
  const logIn = new LogIn(database, sessions, { secret: session.secrets[0] ?? "" })
  const activity = new Activity(parts.written ?? database, recorders)
  const { assertRecording } = recorders
  const opened = [...capabilities.values()]
  const onBegin = together(opened.flatMap(({ onBegin }) => onBegin ?? []))
  const routes = new RouteTable(parts.routes, parts.failed)
  const app = new App({
    routes,
    sessions,
    gate: new Gate(),
    limits: new Limits(parts.limits, parts.accountLimits),
    near: new Networks(["127.0.0.0/8", "::1", ...parts.trustProxy ?? []]),
    activity,
    assertRecording,
    nodes,
    lists: new Lists({ pages, walks, forms: opened.flatMap(({ forms = [] }) => forms) }),
    layers: opened.flatMap(({ layers = [] }) => layers),
    handlers: new Handlers(routes.routes, {
      ...parts,
      sessions,
      logIn,
      activity,
      assertRecording,
    }),
  }, {
    log,
    observers: [...observersOf(opened), ...parts.observers ?? []],
    ...onBegin && { onBegin },
    keepLaps: parts.keepLaps ?? false,
    timing: parts.timing,
  })
  return {
    app,
    sessions,
    logIn,
    async close() {
      await app.close()
      await Promise.all(opened.map((each) => each.close?.()))
      await recorders.close()
    },
  }
}
