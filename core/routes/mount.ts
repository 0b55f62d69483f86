import { failureOf, type PluginFailure, type PluginSetup } from "./setup.ts"
import { refuseBadDeprecation } from "./deprecation.ts"
import { compilePath, type PathPattern } from "./path.ts"
import type { Mount, MountedRoute, Route } from "./contract.ts"

/** What is wrong with the mounting of a required plugin. */
export interface MountProblem {
  readonly setup: PluginSetup
  readonly message: string
}

/** What mounting plugins gives. */
export interface MountResult {
  /** Sorted by path and frozen; to be served only if there are no problems. */
  readonly routes: readonly MountedRoute[]
  readonly problems: readonly MountProblem[]
  /** Optional plugins that could not be mounted. */
  readonly failures: readonly PluginFailure[]
}

/** The routes of one plugin with one set of settings. */
interface Placement {
  readonly setup: PluginSetup
  readonly routes: readonly MountedRoute[]
}

/**
 * Mounts plugins, with no effects.
 *
 * Plugins may share a prefix, but not a method and path; the one exception is an announced route,
 * whose place another plugin's real one takes. Of plugins that claim the same, optional ones yield.
 */
export function mountPlugins(setups: readonly PluginSetup[]): MountResult {
  const placements: Placement[] = []
  const problems: MountProblem[] = []
  const failures: PluginFailure[] = []
  const refuse = (setup: PluginSetup, message: string) => {
    if (setup.optional) failures.push(failureOf(setup, [message]))
    else problems.push({ setup, message })
  }
  // Required plugins come first: a later one yields if a place is taken.
  for (const setup of setups.toSorted((a, b) => Number(a.optional) - Number(b.optional))) {
    try {
      const routes = place(setup)
      const conflicts = findConflicts(routes, placements.flatMap((other) => other.routes))
      for (const message of conflicts) refuse(setup, message)
      if (conflicts.length === 0) placements.push({ setup, routes })
    } catch (error) {
      refuse(setup, `Cannot mount plugin ${setup.plugin.name}: ${(error as Error).message}`)
    }
  }
  const routes = withoutReplaced(placements.flatMap(({ routes }) => routes))
    .sort((a, b) => compare(a.pattern.text, b.pattern.text) || compare(a.method, b.method))
    .map((route) => Object.freeze(route))
  return { routes: Object.freeze(routes), problems, failures }
}

function place({ plugin, settings }: PluginSetup): MountedRoute[] {
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
