import { organizationsOf } from "../access/policies.ts"
import { countEffects, type FilterEffect, type ListOfGuests } from "../change-log/list-filters.ts"
import type { Database } from "../data/database.ts"
import type { MountedRoute } from "../routes/contract.ts"

/** Counts what the filters of some routes would change. Writes nothing. */
export async function countFilterEffects(
  database: Pick<Database, "writer">,
  routes: readonly MountedRoute[],
): Promise<readonly FilterEffect[]> {
  return await countEffects(database, listsOfGuests(routes))
}

/** Returns the lists of guests that have deletions: those of families. */
export function listsOfGuests(routes: readonly MountedRoute[]): ListOfGuests[] {
  return routes.flatMap((route) => {
    const gone = route.kind === "listing" && !route.list.of ? route.list.gone : undefined
    if (!gone) return []
    const { scope, filter } = gone
    const next = filter?.kind === "consented" ? filter : undefined
    const organizations = organizationsOf(route.auth) ?? []
    return organizations.map((organization) => ({ scope, organization, gone, next }))
  })
}
