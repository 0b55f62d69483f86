import type { Responder } from "../http/answer.ts"
import type { Log } from "../log.ts"
import type { App } from "../request/app.ts"
import type { Observer } from "../request/exchange.ts"
import { Cursors } from "../request/listing/cursor.ts"
import { Walks } from "../request/listing/walks.ts"
import type { ReloadOutcome } from "../routes/contract.ts"
import type { Plan } from "../routes/plan.ts"
import { openCapabilities, ProcessState, recordInBackground } from "./capabilities.ts"
import {
  capabilitiesOf,
  type OpenCapability,
  type ServiceChange,
  type ServiceInstance,
} from "./capability.ts"
import { informationOf } from "./information.ts"
import { openApp } from "./open-app.ts"
import { type DropCounts, Recorders, type RecorderTimes } from "./recorders.ts"
import type { Store, StoreOptions } from "./store.ts"

/** One configuration in service, without a port. */
export interface Instance extends ServiceInstance {
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
  /**
   * Lets running requests finish, then ends what belongs to it. New requests must go elsewhere. If the process goes on,
   * until `ending` aborts, what is recorded waits for a database that cannot write.
   */
  close(ending?: AbortSignal): Promise<void>
}

export interface InstanceOptions {
  readonly log: Log
  /** Returns the outcome of the last reload; null if there was none. */
  readonly lastReload?: () => ReloadOutcome | null
  /** Aborts when the process is asked to end. */
  readonly draining?: AbortSignal
  /** Called with the record of each answered request. */
  readonly observers?: readonly Observer[]
  /** What the process keeps across reloads. */
  readonly kept?: ProcessState
  /** How entries are recorded, if not as usual. */
  readonly recorderTimes?: RecorderTimes | undefined
  /** The interval of looks at the change log, if not the usual one. */
  readonly changes?: StoreOptions["changes"]
}

/**
 * Puts a plan, which `readPlan` has loaded, checked and mounted, in service on an open database: `answer` handles
 * requests from now on. @throws as a capability does that cannot be opened.
 */
export function openInstance(config: Plan, store: Store, options: InstanceOptions): Instance {
  const { log, lastReload = () => null, observers, changes } = options
  const { draining = new AbortController().signal, kept = new ProcessState() } = options
  const { database, nodes } = store
  const { session: { secrets }, polling, accounts } = config
  const walks = new Walks(new Cursors(secrets), { ...polling, accounts })
  const drops = kept.get("drops", (): DropCounts => new Map())
  const recorders = new Recorders(log, drops, options.recorderTimes)
  const { batch } = recorders
  const on = capabilitiesOf(config)
  const recordChange = recordInBackground(on, { database, batch })
  const closing = new AbortController()
  const signals = { draining, closing: closing.signal }
  const host = { walks, ...signals, plan: config, database, nodes, log, batch, recordChange }
  let capabilities: Instance["capabilities"]
  try {
    capabilities = openCapabilities(on, { ...host, every: changes?.every }, kept)
  } catch (error) {
    void recorders.close()
    throw error
  }
  const parts = { ...host, routes: config.routes, recorders, capabilities }
  const info = informationOf({ ...parts, lastReload })
  const { app, close } = openApp({ ...parts, info, observers })
  return Object.freeze({
    config,
    since: info.since,
    database,
    nodes,
    recorders,
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
    async close(ending?: AbortSignal) {
      closing.abort()
      await close(ending)
    },
  })
}

async function metricsOf(capabilities: Instance["capabilities"]) {
  const all = [...capabilities.values()].map((each) => each.metrics?.() ?? [])
  return (await Promise.all(all)).flat()
}
