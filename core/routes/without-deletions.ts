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
    const { auth, path, plugin, prefix, pattern, deprecated } = route
    const unavailable = announced(path, { auth, detail })
    const describe = { ...unavailable.describe, summary: "Not available" }
    return {
      ...unavailable,
      describe: describe as typeof unavailable.describe & typeof describe,
      plugin,
      prefix,
      pattern,
      ...deprecated && { deprecated },
    }
  })
}
