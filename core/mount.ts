import { compilePath, type PathPattern } from "./http/path.ts"
import { apiVersion, type Mount, type Plugin, type Route } from "./plugin.ts"

/** A route where it is served from, and by which plugin. */
export type MountedRoute = Route & { readonly plugin: string; readonly pattern: PathPattern }

/** A plugin that has been loaded, with its checked settings. */
export interface ConfiguredPlugin {
  readonly plugin: Plugin
  readonly settings: unknown
}

/**
 * Mounts plugins, with no effects. Answers the routes, sorted by path, and everything that is
 * wrong with them; the routes are to be served only when nothing is.
 */
export function mountPlugins(
  configured: readonly ConfiguredPlugin[],
): { routes: readonly MountedRoute[]; problems: readonly string[] } {
  const routes: MountedRoute[] = []
  const problems: string[] = []
  for (const { plugin, settings } of configured) {
    try {
      const mounts = [plugin.mount(settings)].flat() as Mount[]
      routes.push(
        ...mounts.flatMap((mount) => mount.routes.map((route) => place(plugin, mount, route))),
      )
    } catch (error) {
      problems.push(`Cannot mount plugin ${plugin.name}: ${(error as Error).message}`)
    }
  }
  problems.push(...findConflicts(routes))
  routes.sort((a, b) =>
    a.pattern.text.localeCompare(b.pattern.text) || a.method.localeCompare(b.method)
  )
  return { routes: Object.freeze(routes.map((route) => Object.freeze(route))), problems }
}

/** Refuses a plugin for another version of the contract; undefined where it fits. */
export function contractProblem(plugin: Plugin): string | undefined {
  if (plugin.apiVersion === apiVersion) return undefined
  return `it was written for version ${plugin.apiVersion} of the plugin contract, and this is version ${apiVersion}`
}

function place(plugin: Plugin, { prefix }: Mount, route: Route): MountedRoute {
  const pattern = compilePath(prefix + route.path)
  const ofEvent = pattern.parameters.includes("eventId")
  if (route.kind === "listing" && (route.resource.scope === "event") !== ofEvent) {
    throw new TypeError(
      `${pattern.text} lists ${route.resource.name}, which ${
        ofEvent ? "are not an event's: take :eventId out" : "are an event's: put :eventId in"
      }`,
    )
  }
  if (route.kind === "listing" && route.auth.kind === "anyone") {
    throw new TypeError(`${pattern.text} lists ${route.resource.name}, which is never for anyone`)
  }
  return { ...route, plugin: plugin.name, pattern }
}

function findConflicts(routes: readonly MountedRoute[]): string[] {
  const places = Map.groupBy(routes, (route) => `${route.method} ${route.pattern.shape}`)
  return [...places.values()].filter((claims) => claims.length > 1).map((claims) => {
    const [first] = claims as [MountedRoute]
    const plugins = [...new Set(claims.map((claim) => claim.plugin))]
    const who = plugins.length > 1
      ? `plugins ${plugins.join(" and ")} both`
      : `plugin ${plugins[0]} twice`
    return `Cannot mount ${first.method} ${first.pattern.text}: it is claimed by ${who}`
  })
}
