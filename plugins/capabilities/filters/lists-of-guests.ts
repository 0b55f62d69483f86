import type { Kysely } from "kysely"
import type { List } from "../../../core/capability.ts"
import { nameOfFilter } from "../../../core/filters.ts"
import { organizationsOf } from "../../../core/inspection.ts"
import type { GuestFilter, MountedRoute } from "../../../core/plugin.ts"
import type { Schema } from "../../../core/tables.ts"

/** A list of guests, as far as it is of one organization. */
export interface ListOfGuests {
  readonly scope: string
  /** The prefix of the family's paths. */
  readonly prefix: string
  /** A slug. */
  readonly organization: string
  readonly gone: NonNullable<List["gone"]>
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
    return organizations.map((organization) => ({
      scope,
      prefix: route.prefix,
      organization,
      gone,
      next,
    }))
  })
}

/** Returns the lists that are new, or have another filter than before. The others go on as they were. */
export function changedLists(
  routes: readonly MountedRoute[],
  former: readonly MountedRoute[] = [],
): ListOfGuests[] {
  const before = new Map(listsOfGuests(former).map((list) => [nameOfList(list), list]))
  return listsOfGuests(routes).filter((list) => {
    const same = before.get(nameOfList(list))
    if (!same || nameOfFilter(same.next) !== nameOfFilter(list.next)) return true
    list.gone.filter ??= same.gone.filter
    return false
  })
}

/** Reads the filters that are in force, by the names of their lists. */
export async function readFilters(db: Kysely<Schema>) {
  const rows = await db.selectFrom("list_filter").selectAll().execute()
  return new Map(rows.map((row) => [nameOfList(row), row]))
}

/** Returns what tells a list from all others. */
export function nameOfList({ scope, organization }: Pick<ListOfGuests, "scope" | "organization">) {
  return `${scope} ${organization}`
}
