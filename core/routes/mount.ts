import { type ConfiguredPlugin, type FailedPlugin, failure } from "./configure.ts"
import { refuseBadDeprecation } from "./deprecation.ts"
import { compilePath, type PathPattern } from "./path.ts"
import type { Mount, MountedRoute, Route } from "./contract.ts"

/** What is wrong with the mounting of a required plugin. */
export interface MountProblem {
  readonly entry: ConfiguredPlugin
  readonly message: string
}

export interface Mounted {
  /** Sorted by path and frozen; to be served only where there are no problems. */
  readonly routes: readonly MountedRoute[]
  readonly problems: readonly MountProblem[]
  /** Optional plugins that could not be mounted. */
  readonly failed: readonly FailedPlugin[]
}

/** The routes of one entry. */
interface Placed {
  readonly entry: ConfiguredPlugin
  readonly routes: readonly MountedRoute[]
}

/**
 * Mounts plugins, with no effects.
 *
 * Plugins may share a prefix, but not a method and path; the one exception is an announced route,
 * whose place another plugin's real one takes. Of plugins that claim the same, optional ones yield.
 */
export function mountPlugins(configured: readonly ConfiguredPlugin[]): Mounted {
  const placed: Placed[] = []
  const problems: MountProblem[] = []
  const failed: FailedPlugin[] = []
  const refuse = (entry: ConfiguredPlugin, message: string) => {
    if (entry.optional) failed.push(failure(entry, [message]))
    else problems.push({ entry, message })
  }
  // Required ones first: whoever comes later to a place that is taken has to yield.
  for (const entry of configured.toSorted((a, b) => Number(a.optional) - Number(b.optional))) {
    try {
      const routes = place(entry)
      const conflicts = findConflicts(routes, placed.flatMap((other) => other.routes))
      for (const message of conflicts) refuse(entry, message)
      if (conflicts.length === 0) placed.push({ entry, routes })
    } catch (error) {
      refuse(entry, `Cannot mount plugin ${entry.plugin.name}: ${(error as Error).message}`)
    }
  }
  const routes = withoutReplaced(placed.flatMap(({ routes }) => routes))
    .sort((a, b) => compare(a.pattern.text, b.pattern.text) || compare(a.method, b.method))
    .map((route) => Object.freeze(route))
  return { routes: Object.freeze(routes), problems, failed }
}

function place({ plugin, settings }: ConfiguredPlugin): MountedRoute[] {
  const mounts = [plugin.mount(settings)].flat() as Mount[]
  return mounts.flatMap(({ prefix, routes }) =>
    routes.map((route) => {
      const pattern = compilePath(prefix + route.path)
      refuseMisplaced(route, pattern)
      if (route.deprecated) refuseBadDeprecation(route.deprecated, pattern)
      return { ...route, plugin: plugin.name, prefix: prefix || pattern.text, pattern }
    })
  )
}

function refuseMisplaced(route: Route, { text, parameters }: PathPattern): void {
  if (route.kind !== "listing") return
  const { name, scope } = route.list
  const ofEvent = parameters.includes("eventId")
  if ((scope === "event") !== ofEvent) {
    const what = ofEvent
      ? "are not an event's: take :eventId out"
      : "are an event's: put :eventId in"
    throw new TypeError(`${text} lists ${name}, which ${what}`)
  }
  if (route.auth.kind === "anyone") {
    throw new TypeError(`${text} lists ${name}, which is never for anyone`)
  }
}

function findConflicts(
  routes: readonly MountedRoute[],
  others: readonly MountedRoute[],
): string[] {
  return routes.flatMap((route, index) => {
    const rivals = [...others, ...routes.slice(0, index)]
    const rival = rivals.find((other) =>
      placeOf(other) === placeOf(route) && isAnnounced(other) === isAnnounced(route)
    )
    if (!rival) return []
    const who = rival.plugin === route.plugin
      ? `plugin ${route.plugin} twice`
      : `plugins ${rival.plugin} and ${route.plugin} both`
    return [`Cannot mount ${route.method} ${rival.pattern.text}: it is claimed by ${who}`]
  })
}

function withoutReplaced(routes: readonly MountedRoute[]): MountedRoute[] {
  const real = new Set(routes.filter((route) => !isAnnounced(route)).map(placeOf))
  return routes.filter((route) => !isAnnounced(route) || !real.has(placeOf(route)))
}

function isAnnounced(route: Route): boolean {
  return route.kind === "handler" && route.announced === true
}

function placeOf({ method, pattern }: MountedRoute): string {
  return `${method} ${pattern.shape}`
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
