import type { AccessExplanation, RouteExplanation } from "./explain-access.ts"

/** Routes of a family with the same status for the same reason. */
export interface RouteGroup extends Omit<RouteExplanation, "path"> {
  /** The prefix of the family. */
  readonly prefix: string
  /** The ends of their paths; null if the group contains all routes of the question. */
  readonly names: readonly string[] | null
  readonly count: number
}

/**
 * Groups the routes of a family that have the same status for the same reason. `placeOf` names the place in the
 * configuration that decides.
 */
export function groupRoutes(
  routes: readonly RouteExplanation[],
  placeOf: (route: RouteExplanation["route"]) => unknown,
): readonly RouteGroup[] {
  const families = Map.groupBy(routes, ({ route }) => route.prefix)
  return [...families].flatMap(([prefix, ofFamily]) => {
    const alike = Map.groupBy(
      ofFamily,
      ({ route, status, code, loggedIn, decider, reason }) =>
        JSON.stringify([status, code, loggedIn, decider, reason, placeOf(route)]),
    )
    return [...alike.values()].map((group) => {
      const [first] = group as [RouteExplanation]
      const { path: _, ...explained } = first
      const names = alike.size === 1 ? null : group.map((each) => nameOf(each))
      return { ...explained, prefix, names, count: group.length }
    })
  })
}

/** Returns the end of a route's path, such as `guests/deletions`; the whole path if it is not about an event. */
function nameOf({ route: { prefix, pattern: { text } } }: RouteExplanation): string {
  return text.slice(prefix.length).replace(/^\/events\/:eventId\/?/, "") || "the event"
}

/** Describes which routes a group has. */
export function labelOf({ names, count }: Pick<RouteGroup, "names" | "count">): string {
  return names?.join(", ") ?? (count === 1 ? "1 route" : `all ${count} routes`)
}

/** Says where the request would come from. */
export function fromOf(from: AccessExplanation["from"]): string {
  if (!from) return "From an address that its grants allow: no request of it is known."
  return from.isLast ? `From ${from.address}, like its last request.` : `From ${from.address}.`
}
