import type { Catalogue, MountedRoute } from "../../../core/plugin.ts"

function rankOfMethod({ method }: MountedRoute): number {
  return ["POST", "GET", "PUT", "PATCH", "DELETE"].indexOf(method)
}

/**
 * Returns the routes that a document describes, in order: the session, the reader's own families, other families, and
 * the rest. Leaves out pages with their own errors, which are for browsers.
 *
 * For partners, also leaves out what their programs do not call: probes, pages, files, and the document itself.
 */
export function routesToDescribe(
  { routes, reader }: Pick<Catalogue, "routes" | "reader">,
): readonly MountedRoute[] {
  const isWhole = reader === undefined || reader.role === "operator"
  const described = routes.filter((route) =>
    isDescribed(route) && (isWhole || isForPrograms(route))
  )
  return [...Map.groupBy(described, ({ pattern }) => pattern.text).values()]
    .flatMap((sharing) => sharing.sort((a, b) => rankOfMethod(a) - rankOfMethod(b)))
    .sort((a, b) => rankOf(a, reader) - rankOf(b, reader))
}

/** True for a route that documents describe: its errors are problem details. */
export function isDescribed(route: MountedRoute): boolean {
  return route.kind === "listing" || route.refused === undefined
}

/** False for probes, pages, files, redirects to these, and this document. */
function isForPrograms(route: MountedRoute): boolean {
  if (route.kind === "listing") return true
  const answers = route.describe?.answers ?? {}
  return !route.quiet && route.plugin !== "openapi" && !(303 in answers) &&
    !Object.values(answers).some((answer) => typeof answer === "string")
}

function rankOf(route: MountedRoute, reader: Catalogue["reader"]): number {
  const { auth } = route
  if (route.kind === "handler" && !route.announced) {
    return route.pattern.text === "/session" ? 0 : 3
  }
  return auth.kind === "service-user" && auth.username === reader?.username ? 1 : 2
}

/** True for an event's feed. */
export function isFeed(route: MountedRoute): boolean {
  return route.kind === "listing" && route.list.parameters.includes("after")
}
