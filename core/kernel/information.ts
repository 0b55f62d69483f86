import { makeCatalogueFinder, summariesOf } from "../request/catalogue.ts"
import type { ServiceInfo } from "../request/handlers.ts"
import type { Nodes } from "../request/nodes.ts"
import type { Database } from "../data/database.ts"
import type { MountedRoute, ReloadOutcome } from "../routes/contract.ts"
import type { Plan } from "../routes/plan.ts"
import { recorderOf } from "./capabilities.ts"
import { capabilitiesOf, type OpenCapability } from "./capability.ts"
import { numbersOf } from "./numbers.ts"
import { readinessCheck } from "./readiness.ts"
import type { Recorders } from "./recorders.ts"
import { describeService } from "./status.ts"

/** What information is about. */
interface Parts {
  readonly plan: Plan
  readonly database: Database
  readonly nodes: Nodes
  /** The routes that are served. */
  readonly routes: readonly MountedRoute[]
  readonly recorders: Recorders
  readonly capabilities: ReadonlyMap<string, OpenCapability>
  readonly lastReload: () => ReloadOutcome | null
  readonly draining: AbortSignal
}

/** Returns what handlers can learn about an instance. It has been in force from now on. */
export function informationOf(
  { plan, database, nodes, routes, recorders, capabilities, lastReload, draining }: Parts,
): ServiceInfo & { readonly since: number } {
  const since = Math.floor(Date.now() / 1000)
  const record = recorderOf(capabilitiesOf(plan))
  const finders = [...capabilities.values()].flatMap(({ findLastFamily }) => findLastFamily ?? [])
  return {
    since,
    status: () =>
      describeService(plan, {
        database: database.dialect.version,
        nodes: nodes.status,
        since,
        lastReload: lastReload(),
      }),
    readiness: readinessCheck(database, plan, { lastReload, recorders, draining, nodes }),
    catalogue: makeCatalogueFinder(routes, {
      database,
      cookie: plan.session.cookie,
      summaries: summariesOf(plan),
      numbers: (username?: string) => numbersOf(plan, username),
      findLastFamily: finders[0],
    }),
    inside: (by) => ({
      database,
      readable: nodes.best.database,
      plan,
      author: { ...by, record },
    }),
  }
}
