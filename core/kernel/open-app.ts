import { Activity } from "../access/activity.ts"
import { Admissions } from "../access/admission.ts"
import { LogIn } from "../access/log-in.ts"
import { Sessions } from "../access/sessions.ts"
import type { Database } from "../data/database.ts"
import { Networks } from "../networks.ts"
import { App } from "../request/app.ts"
import type { Observer } from "../request/exchange.ts"
import { Handlers, type ServiceInfo } from "../request/handlers.ts"
import { Limits } from "../request/limits.ts"
import { Lists } from "../request/listing/answer-list.ts"
import { PageTags } from "../request/listing/page-tags.ts"
import { Pages } from "../request/listing/pages.ts"
import { RouteTable } from "../request/route-table.ts"
import type { MountedRoute } from "../routes/contract.ts"
import type { Plan } from "../routes/plan.ts"
import type { CapabilityHost, OpenCapability } from "./capability.ts"
import type { Recorders } from "./recorders.ts"
import { version } from "./version.ts"

interface AppParts extends Pick<CapabilityHost, "database" | "nodes" | "log" | "walks"> {
  readonly plan: Pick<Plan, "session" | "limits" | "accounts" | "server" | "cache">
  readonly routes: readonly MountedRoute[]
  /** What writes in the background. Closed with the app. */
  readonly recorders: Recorders
  /** Closed with the app. */
  readonly capabilities: ReadonlyMap<string, OpenCapability>
  readonly info: ServiceInfo
  /** Called with the record of each answered request. */
  readonly observers?: readonly Observer[] | undefined
  /** The database that the last use of accounts is written to, if not the one that is read. */
  readonly written?: Database
}

interface OpenApp {
  readonly app: App
  /**
   * Waits for running requests, then ends the background work: what is still to be written may take long until `ending`
   * aborts. Leaves the database open.
   */
  close(ending?: AbortSignal): Promise<void>
}

const megabyte = 1024 * 1024

/** Puts the parts of an app together. */
export function openApp(parts: AppParts): OpenApp {
  const { plan, database, nodes, recorders, log, info, walks, observers = [] } = parts
  const { session, server } = plan
  const opened = [...parts.capabilities.values()]
  const finders = opened.flatMap(({ findByToken }) => findByToken ?? [])
  const pageFinders = opened.flatMap(({ findPage }) => findPage ?? [])
  const pages = new Pages(plan.cache.pages * megabyte, pageFinders)
  const tags = new PageTags(session.secrets, version)
  const sessions = new Sessions(database, { ...session, finders })
  const logIn = new LogIn(database, sessions, {
    secret: session.secrets[0] ?? "",
    kind: session.passwords,
  })
  const activity = new Activity(parts.written ?? database, recorders)
  const { assertRecording } = recorders
  const routes = new RouteTable(parts.routes)
  const limits = new Limits(plan.limits, plan.accounts)
  const forHandlers = { info, sessions, logIn, activity, assertRecording, limits }
  const app = new App({
    routes,
    sessions,
    admissions: new Admissions(),
    limits,
    near: new Networks(["127.0.0.0/8", "::1", ...server.trust_proxy]),
    activity,
    assertRecording,
    nodes,
    lists: new Lists({ pages, tags, walks }, {
      forms: opened.flatMap(({ forms = [] }) => forms),
      own: opened.flatMap(({ answers }) => answers ?? []),
    }),
    layers: opened.flatMap(({ layers = [] }) => layers),
    handlers: new Handlers(routes.routes, { ...forHandlers, timeLimit: server.time_limit }),
  }, {
    log,
    observers: [...opened.flatMap(({ observe }) => observe ?? []), ...observers],
    onBegin(exchange) {
      for (const each of opened) each.onBegin?.(exchange)
    },
  })
  return {
    app,
    async close(ending) {
      try {
        await app.close()
        await Promise.all(opened.map((each) => each.close?.()))
      } finally {
        await recorders.close(ending)
      }
    },
  }
}
