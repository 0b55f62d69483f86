import { makeCatalogueFinder, summariesOf } from "../request/catalogue.ts"
import type { ServiceInfo } from "../request/handlers.ts"
import type { MountedRoute, ReloadOutcome } from "../routes/contract.ts"
import { recorderOf } from "./capabilities.ts"
import { capabilitiesOf, type CapabilityHost } from "./capability.ts"
import { numbersOf } from "./numbers.ts"
import { readinessCheck } from "./readiness.ts"
import type { Recorders } from "./recorders.ts"
import { describeService } from "./status.ts"

interface InstanceParts extends Pick<CapabilityHost, "plan" | "database" | "nodes" | "draining"> {
  /** The routes that are served. */
  readonly routes: readonly MountedRoute[]
  readonly recorders: Recorders
  readonly lastReload: () => ReloadOutcome | null
}

/** Returns what handlers can learn about an instance, which is in force from now on. */
export function informationOf(
  { plan, database, nodes, routes, recorders, lastReload, draining }: InstanceParts,
): ServiceInfo & { readonly since: number } {
  const since = Math.floor(Date.now() / 1000)
  const record = recorderOf(capabilitiesOf(plan))
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
      contact: plan.server.contact,
      cookie: plan.session.cookie,
      summaries: summariesOf(plan),
      numbers: (username?: string) => numbersOf(plan, username),
    }),
    internals: (by) => ({
      database,
      readable: nodes.best.database,
      plan,
      author: { ...by, record },
    }),
  }
}
