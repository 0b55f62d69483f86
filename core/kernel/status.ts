import { describePolicy, organizationsOf } from "../access/policies.ts"
import type { Config } from "../config/read.ts"
import type { List } from "../records/list.ts"
import {
  apiVersion,
  type MountedRoute,
  type PluginStatus,
  type RouteSummary,
  type Status,
} from "../routes/contract.ts"

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
        prefixes: [...new Set(own.map(({ prefix }) => prefix))],
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
    fields: route.kind === "listing" ? fieldsOf(route.list) : [],
    deprecated: route.deprecated ?? null,
  }))
}

function fieldsOf({ parts }: List): string[] {
  return parts.flatMap(({ projection: { record, fields } }) =>
    fields.map((field) => `${record}.${field}`)
  )
}
