import type { Catalogue, MountedRoute } from "../../../core/plugin.ts"

function rankOfMethod({ method }: MountedRoute): number {
  return ["POST", "GET", "PUT", "PATCH", "DELETE"].indexOf(method)
}

/**
 * Returns the routes that a document describes, in its order: the session, the reader's own families, other families, and
 * the rest. Pages with their own errors are for browsers, and left out.
 *
 * Partners do not see what their programs do not call: probes, pages, files, and the document itself.
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

/** True for a route that documents describe: one whose errors are problem details. */
export function isDescribed(route: MountedRoute): boolean {
  return route.kind === "listing" || route.refused === undefined
}

/** False for probes, for pages, files and redirects to them, and for this document. */
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

/** True for the feed of an event. */
export function isFeed(route: MountedRoute): boolean {
  return route.kind === "listing" && route.list.parameters.includes("after")
}
