import t from "tap"
import type { RouteExplanation } from "../../../../plugins/capabilities/explain/explain-access.ts"
import { groupRoutes, labelOf } from "../../../../plugins/capabilities/explain/group-routes.ts"

/** Returns what is said of a route. */
function explained(path: string, own: Partial<RouteExplanation> = {}): RouteExplanation {
  const [, word] = path.split("/")
  const route = { prefix: `/${word}/v1`, pattern: { text: path } } as RouteExplanation["route"]
  const answer = {
    status: 200,
    code: null,
    decider: "grant",
    reason: "a grant",
    loggedIn: 200,
  } as const
  return { route, path, ...answer, ...own }
}

t.test("groupRoutes puts the routes of a family together that have one answer for one reason in one place", (t) => {
  const refused = { status: 403, code: "connector_not_enabled", loggedIn: 403 } as const
  const grouped = (routes: readonly RouteExplanation[], placeOf = (): unknown => undefined) =>
    groupRoutes(routes, placeOf).map((group) => [group.prefix, group.status, labelOf(group)])
  const [guests, gone, event] = ["/guests", "/guests/deletions", ""]
    .map((end) => `/a/v1/events/:eventId${end}`) as [string, string, string]
  const other = explained("/b/v1/events/:eventId/guests")
  t.strictSame(grouped([explained(guests), other, explained(gone)]), [
    ["/a/v1", 200, "all 2 routes"],
    ["/b/v1", 200, "1 route"],
  ])
  t.strictSame(grouped([explained(guests), explained(event, refused), explained(gone)]), [
    ["/a/v1", 200, "guests, guests/deletions"],
    ["/a/v1", 403, "the event"],
  ])
  const two = [explained(guests), explained(gone, { reason: "another" })]
  t.strictSame(grouped(two), [["/a/v1", 200, "guests"], ["/a/v1", 200, "guests/deletions"]])
  const places = ["x", "y"].values()
  t.equal(grouped([explained(guests), explained(gone)], () => places.next().value).length, 2)
  t.end()
})
