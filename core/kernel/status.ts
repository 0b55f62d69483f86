import { describePolicy, organizationsOf } from "../access/policies.ts"
import type { List } from "../records/lists/list.ts"
import {
  apiVersion,
  type MountedRoute,
  type PluginStatus,
  type RouteSummary,
  type Status,
} from "../routes/contract.ts"
import type { Plan } from "../routes/plan.ts"
import { fixedSettings } from "./fixed-settings.ts"

/** Describes a plan that is in force. */
export function describeService(
  plan: Plan,
  { database, nodes, since, lastReload }: Pick<Status, "database" | "since" | "lastReload"> & {
    readonly nodes: Status["nodes"] | undefined
  },
): Status {
  return {
    config: { file: plan.file, hash: plan.hash },
    contract: apiVersion,
    database,
    ...nodes && { nodes },
    since,
    plugins: plan.plugins.map(({ plugin }): PluginStatus => {
      const own = plan.routes.filter((route) => route.plugin === plugin.name)
      return {
        name: plugin.name,
        version: plugin.version ?? null,
        contract: plugin.apiVersion,
        summary: plugin.summary,
        prefixes: [...new Set(own.map(({ prefix }) => prefix))],
        routes: own.length,
      }
    }),
    routes: summarizeRoutes(plan.routes),
    fixedSettings: fixedSettings(plan),
    settings: plan.settings,
    lastReload,
  }
}

/** Returns routes as data that can be compared. */
export function summarizeRoutes(routes: readonly MountedRoute[]): RouteSummary[] {
  return routes.map((route) => ({
    method: route.method,
    path: route.pattern.text,
    plugin: route.plugin,
    policy: describePolicy(route.auth),
    organizations: organizationsOf(route.auth) ?? null,
    fields: route.kind === "listing" ? fieldsOf(route.list) : [],
    ...route.kind === "listing" && route.list.scope === "event" && route.list.filter?.sentence && {
      filter: route.list.filter.sentence,
    },
  }))
}

function fieldsOf({ parts }: List): string[] {
  return parts.flatMap(({ projection: { record, fields } }) =>
    fields.map((field) => `${record}.${field}`)
  )
}
