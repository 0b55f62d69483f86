import type { Catalogue, MountedRoute } from "../routes/contract.ts"

/** Whose families are put in order. */
interface Owner {
  readonly reader: Catalogue["reader"]
  /** The prefix of the family that the reader polled last. */
  readonly lastFamily: string | undefined
}

/**
 * Returns the prefixes of the families among these routes, the one that a reader most likely means first: the family
 * that they polled last, those for them alone, those with most lists, and the others by path.
 */
export function familiesOf(
  routes: readonly MountedRoute[],
  { reader, lastFamily }: Owner,
): string[] {
  const listings = routes.filter((route) => route.kind === "listing")
  const families = [...Map.groupBy(listings, ({ prefix }) => prefix)].map(([prefix, lists]) => ({
    prefix,
    isLast: prefix === lastFamily,
    isOwn: lists.some(({ auth }) =>
      auth.kind === "service-user" && auth.username === reader?.username
    ),
    lists: lists.length,
  }))
  return families
    .sort((a, b) =>
      Number(b.isLast) - Number(a.isLast) || Number(b.isOwn) - Number(a.isOwn) ||
      b.lists - a.lists || (a.prefix < b.prefix ? -1 : 1)
    )
    .map(({ prefix }) => prefix)
}
