import { describePolicy, organizationsOf } from "../access/policies.ts"
import type { Config } from "../config/read.ts"
import type { MountedRoute } from "../routes/mount.ts"
import { apiVersion, type Deprecation } from "../plugin.ts"

/** What a service runs, as data for operators. Times are Unix seconds. */
export interface Status {
  readonly config: { readonly file: string; readonly hash: string }
  /** The contract version that this service offers to plugins. */
  readonly contract: number
  readonly database: string
  /** When this configuration came into force. */
  readonly since: number
  readonly plugins: readonly PluginStatus[]
  /** Optional plugins that cannot be used, and why. */
  readonly failed: readonly { readonly use: string; readonly reasons: readonly string[] }[]
  readonly routes: readonly RouteSummary[]
  /** Null until there has been one. */
  readonly lastReload: ReloadOutcome | null
}

interface PluginStatus {
  readonly name: string
  readonly version: string | null
  readonly contract: number
  readonly summary: string
  readonly prefixes: readonly string[]
  readonly routes: number
  /** Milliseconds that its code took to load. */
  readonly loadMilliseconds: number
}

/** A route as it can be compared with another configuration's. */
export interface RouteSummary {
  readonly method: string
  readonly path: string
  readonly plugin: string
  readonly policy: string
  /** Slugs; null where it is not about organizations. */
  readonly organizations: readonly string[] | null
  /** The fields that the route lets through, `Record.field` each; none of a handler. */
  readonly fields: readonly string[]
  /** Null where it is not deprecated. */
  readonly deprecated: Deprecation | null
}

/** How an attempt to put a changed configuration into force ended. */
export interface ReloadOutcome {
  readonly at: number
  readonly result: "applied" | "refused"
  /** What asked for it. */
  readonly trigger: string
  /** Why it was refused; null where it was applied. */
  readonly reason: string | null
}

/** Describes a configuration that is in force. */
export function describeService(
  config: Config,
  { database, since, lastReload }: Pick<Status, "database" | "since" | "lastReload">,
): Status {
  return {
    config: { file: config.file, hash: config.hash },
    contract: apiVersion,
    database,
    since,
    plugins: config.plugins.map(({ plugin, loaded }): PluginStatus => {
      const own = config.routes.filter((route) => route.plugin === plugin.name)
      return {
        name: plugin.name,
        version: plugin.version ?? null,
        contract: plugin.apiVersion,
        summary: plugin.summary,
        prefixes: [...new Set(own.map(({ pattern }) => prefixOf(pattern.text)))],
        routes: own.length,
        loadMilliseconds: Math.round(loaded),
      }
    }),
    failed: config.failed.map(({ use, reasons }) => ({ use, reasons })),
    routes: summarizeRoutes(config.routes),
    lastReload,
  }
}

/** The routes of a configuration as data that can be compared. */
export function summarizeRoutes(routes: readonly MountedRoute[]): RouteSummary[] {
  return routes.map((route) => ({
    method: route.method,
    path: route.pattern.text,
    plugin: route.plugin,
    policy: describePolicy(route.auth),
    organizations: organizationsOf(route.auth) ?? null,
    fields: route.kind === "listing" ? fieldsOf(route.project) : [],
    deprecated: route.deprecated ?? null,
  }))
}

/** Of one projection, or of a group of them. */
function fieldsOf(project: unknown): string[] {
  if (typeof project !== "object" || project === null) return []
  const { record, fields } = project as { record?: unknown; fields?: unknown }
  if (Array.isArray(fields)) return fields.map((field) => `${record}.${field}`)
  return Object.values(project).flatMap(fieldsOf)
}

/** What comes before the first segment that the routes of a family differ in. */
function prefixOf(path: string): string {
  return path.split("/").slice(0, 3).join("/")
}
