import { organizationsOf } from "../access/policies.ts"
import type { ListOfGuests } from "../change-log/list-filters.ts"
import type { MountedRoute } from "../routes/contract.ts"

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
