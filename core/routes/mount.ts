import type { SettingIssue } from "../config/issues.ts"
import { type PluginSetup, problemAt } from "./setup.ts"
import { compilePath } from "./path.ts"
import { mountMistakes } from "./validate.ts"
import type { Mount, MountedRoute, Route } from "./contract.ts"
import type { List } from "../records/lists/list.ts"

/** The routes of mounted plugins, and what is wrong with them. */
export interface MountResult {
  /** Sorted by path and frozen; to be served only if there are no problems. */
  readonly routes: readonly MountedRoute[]
  readonly problems: readonly SettingIssue[]
}

/** How plugins are mounted. */
export interface MountOptions {
  /** What capabilities add to plugins, by their names; by default nothing. */
  readonly additions?: ReadonlyMap<string, readonly unknown[]>
  /** The capabilities that derive lists from those of plugins; by default none. */
  readonly deriving?: readonly ListDeriver[]
}

/** What mounting needs of a capability. */
export interface ListDeriver {
  /** Present if lists may have filters. */
  readonly settle?: unknown
  /** Derives lists from mounted routes. One at a path of a plugin is left out. */
  derives?(routes: readonly MountedRoute[]): readonly DerivedList[]
}

/** A list that is derived from a route: it has the plugin, the prefix and the policy of that. */
export interface DerivedList {
  readonly from: MountedRoute
  /** Like the path of a route, without the prefix. */
  readonly path: string
  readonly list: List
  /** As in the route. */
  readonly export?: true
}

/**
 * Turns the declarations of plugins into routes. Plugins may share a prefix, but not a method and path, except that a
 * real route replaces another plugin's announced one.
 */
export function mountPlugins(
  setups: readonly PluginSetup[],
  { additions = new Map(), deriving = [] }: MountOptions = {},
): MountResult {
  const mounted: MountedRoute[] = []
  const claimed = new Map<string, MountedRoute>()
  const problems: SettingIssue[] = []
  const canFilter = deriving.some(({ settle }) => settle)
  for (const setup of setups) {
    const { routes, mistakes } = routesOf(setup, additions.get(setup.plugin.name) ?? [])
    const conflicts = mistakes.length === 0 ? findConflicts(routes, claimed) : []
    const messages = [
      ...mistakes.map((mistake) => `Cannot mount plugin ${setup.plugin.name}: ${mistake}`),
      ...conflicts,
      ...canFilter || !routes.some(isFiltered)
        ? []
        : [`Plugin ${setup.plugin.name} chooses guests: add filters to capabilities`],
    ]
    if (messages.length === 0) {
      for (const route of routes) {
        mounted.push(route)
        claimed.set(claimOf(route), route)
      }
    } else problems.push(...messages.map((message) => problemAt(setup, message)))
  }
  const routes = withDerived(withoutReplaced(mounted), deriving)
    .sort((a, b) => compare(a.pattern.text, b.pattern.text) || compare(a.method, b.method))
    .map((route) => Object.freeze(route))
  return { routes: Object.freeze(routes), problems }
}

/** The routes of a plugin, or what is wrong with them. */
interface PluginRoutes {
  readonly routes: readonly MountedRoute[]
  readonly mistakes: readonly string[]
}

function routesOf(
  { plugin, settings }: PluginSetup,
  additions: readonly unknown[],
): PluginRoutes {
  try {
    const mounts = plugin.mount(settings, additions)
    const mistakes = mountMistakes(mounts)
    if (mistakes.length > 0) return { routes: [], mistakes }
    const routes = ([mounts].flat() as Mount[]).flatMap(({ prefix, routes }) =>
      routes.map((route) => {
        const pattern = compilePath(prefix + route.path)
        return { ...route, plugin: plugin.name, prefix: prefix || pattern.text, pattern }
      })
    )
    return { routes, mistakes: [] }
  } catch (error) {
    return { routes: [], mistakes: [(error as Error).message] }
  }
}

function findConflicts(
  routes: readonly MountedRoute[],
  claimed: ReadonlyMap<string, MountedRoute>,
): string[] {
  const own = new Map<string, MountedRoute>()
  const conflicts = routes.flatMap((route) => {
    const claim = claimOf(route)
    const rival = claimed.get(claim) ?? own.get(claim)
    if (!rival) {
      own.set(claim, route)
      return []
    }
    const who = rival.plugin === route.plugin
      ? `plugin ${route.plugin} twice`
      : `plugins ${rival.plugin} and ${route.plugin} both`
    return [{ prefix: route.prefix, path: `${route.method} ${rival.pattern.text}`, who }]
  })
  // A prefix that is claimed twice is one mistake, however many routes it has.
  const mistakes = Map.groupBy(conflicts, ({ prefix, who }) => `${prefix} ${who}`).values()
  return [...mistakes].map((same) => {
    const [{ prefix, path, who }] = same as [(typeof conflicts)[number]]
    const paths = new Set(same.map(({ path }) => path))
    return paths.size === 1
      ? `Cannot mount ${path}: it is claimed by ${who}`
      : `Cannot mount ${prefix}: ${paths.size} routes, such as ${path}, are claimed by ${who}`
  })
}

function withoutReplaced(routes: readonly MountedRoute[]): MountedRoute[] {
  const real = new Set(routes.filter((route) => !isAnnounced(route)).map(keyOf))
  return routes.filter((route) => !isAnnounced(route) || !real.has(keyOf(route)))
}

/** Adds the lists that are derived from routes, except at the paths of other routes. */
function withDerived(routes: readonly MountedRoute[], all: readonly ListDeriver[]): MountedRoute[] {
  const byKey = new Map(routes.map((route) => [keyOf(route), route]))
  for (const { from, ...own } of all.flatMap((each) => each.derives?.(routes) ?? [])) {
    const { plugin, auth } = from
    const prefix = from.pattern.text.slice(0, -from.path.length)
    const pattern = compilePath(prefix + own.path)
    const place = { plugin, prefix: prefix || pattern.text, pattern }
    const route = { kind: "listing", method: "GET", auth, ...own, ...place } as const
    if (!byKey.has(keyOf(route))) byKey.set(keyOf(route), route)
  }
  return [...byKey.values()]
}

function isFiltered(route: Route): boolean {
  return route.kind === "listing" && route.list.filter !== undefined
}

function isAnnounced(route: Route): boolean {
  return route.kind === "handler" && route.announced === true
}

/** Names what only one plugin may have: a route, and an announced one beside it. */
function claimOf(route: MountedRoute): string {
  return `${keyOf(route)} ${isAnnounced(route)}`
}

function keyOf({ method, pattern }: MountedRoute): string {
  return `${method} ${pattern.shape}`
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
