import type { Database } from "../../../core/capability.ts"
import { describePolicy, type RouteSummary } from "../../../core/inspection.ts"
import { serviceUser } from "../../../core/plugin.ts"
import { type AccountReach, findReach } from "./reach.ts"

/**
 * Describes which accounts of partners and customers gain or lose which routes between two configurations: the accounts
 * with the same changes on one line, and below it a line per route. Reads accounts and grants; writes nothing.
 */
export async function describeReaderChanges(
  database: Database,
  before: readonly RouteSummary[],
  after: readonly RouteSummary[],
): Promise<string[]> {
  const changes = [...await findReach(database)].flatMap(([username, reach]) => {
    const [had, gets] = [before, after].map((routes) => routesFor(routes, username, reach))
    const lost = [...had ?? []].filter((route) => !gets?.has(route)).map((route) => `- ${route}`)
    const gained = [...gets ?? []].filter((route) => !had?.has(route)).map((route) => `+ ${route}`)
    const lines = [...lost, ...gained]
    return lines.length > 0 ? [{ username, lines }] : []
  })
  return [...Map.groupBy(changes, ({ lines }) => lines.join("\n")).values()].flatMap((same) => [
    `${same.map(({ username }) => username).join(", ")}:`,
    ...(same[0]?.lines ?? []).map((line) => `    ${line}`),
  ])
}

/** Returns the routes of families that an account may read, by method and path. */
function routesFor(
  routes: readonly RouteSummary[],
  username: string,
  { role, disabled, organizations }: AccountReach,
): ReadonlySet<string> {
  if (disabled || role === "operator" || role === "viewer") return new Set()
  const own = routes.filter((route) =>
    route.organizations?.some((slug) =>
      organizations.includes(slug) &&
      // The policy of a service user is for that account alone.
      (!route.policy.startsWith("service user ") ||
        role === "service" && route.policy === describePolicy(serviceUser(username, slug)))
    )
  )
  return new Set(own.map(({ method, path }) => `${method} ${path}`))
}
