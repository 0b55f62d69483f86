import type { MountedRoute } from "./contract.ts"
import { announced } from "./declare.ts"

const detail = "Deletions cannot be known here, because the database does not record them. " +
  "Compare your copy with the digest."

/**
 * Puts a 404 `not_available` in the place of every list of deletions, for a database that does not record
 * them: an empty list would say that nothing was deleted.
 */
export function withoutDeletions(routes: readonly MountedRoute[]): MountedRoute[] {
  return routes.map((route) => {
    if (route.kind !== "listing" || !route.list.hasHorizon) return route
    const { list: _, ...mounted } = route
    const unavailable = announced(route.path, { auth: route.auth, detail })
    const describe = { ...unavailable.describe, summary: "Not available" }
    return { ...mounted, ...unavailable, describe }
  })
}
