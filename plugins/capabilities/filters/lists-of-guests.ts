import type { Gone } from "../../../core/filters.ts"
import { organizationsOf } from "../../../core/inspection.ts"
import type { GuestFilter, MountedRoute } from "../../../core/plugin.ts"

/** A list of guests, as far as it is of one organization. */
export interface ListOfGuests {
  readonly scope: string
  /** A slug. */
  readonly organization: string
  readonly gone: Gone
  /** The filter that its family declares. */
  readonly next: GuestFilter | undefined
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
