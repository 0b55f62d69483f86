import { isOffered, loadAdditions } from "../config/capabilities.ts"
import { type Config, type ConfigDraft, draftConfig, draftInPlaceOf } from "../config/read.ts"
import type { MountedRoute } from "./contract.ts"
import { pluginNames } from "./load-plugin.ts"
import { mountPlugins } from "./mount.ts"
import {
  type PluginFailure,
  type PluginSetup,
  problemAt,
  type SetupBounds,
  setUpPlugins,
} from "./setup.ts"

/** A configuration with its plugins loaded and mounted: everything that a service serves. */
export interface Plan extends Config {
  readonly plugins: readonly PluginSetup[]
  /** Optional plugins that cannot be used. */
  readonly failed: readonly PluginFailure[]
  /** Sorted by path; without exports, if no capability offers them. */
  readonly routes: readonly MountedRoute[]
}

/**
 * Reads a configuration file, then loads, checks and mounts the plugins that it names. Opens no
 * database and serves nothing.
 *
 * @throws {ConfigError} with everything that is wrong in the file and in its plugins, each with
 *   file, line and column.
 */
export async function readPlan(
  path: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Plan> {
  return await planDraft(await draftConfig(path, environment))
}

/**
 * Like `readPlan`, for a text that somebody sent, in the place of the file of a plan in force. Reads no secret
 * and no file (`draftInPlaceOf`), and loads only plugins in `plugins/` and those of the plan in force. Refuses
 * what would take long to check: more than 1000 plugins or 10,000 routes.
 *
 * @throws as `readPlan` does.
 */
export async function readDraft(running: Plan, text: string): Promise<Plan> {
  const known = new Set([...pluginNames(), ...running.plugins.map(({ use }) => use)])
  const mayLoad = (use: string) => known.has(use)
  return await planDraft(await draftInPlaceOf(running, text), {
    mayLoad,
    most: 1000,
    mostRoutes: 10_000,
  })
}

/** What may be planned: a draft must not keep the service busy for long. */
interface Bounds extends SetupBounds {
  readonly mostRoutes?: number | undefined
}

/** Loads, checks and mounts the plugins of a configuration that has been read. @throws as `readPlan` does. */
export async function planDraft(draft: ConfigDraft, bounds: Bounds = {}): Promise<Plan> {
  // Plugins are checked even if other settings are wrong: all problems are reported at once.
  const { setups, failures } = await setUpPlugins(draft, bounds)
  const names = [...new Set(setups.map(({ plugin }) => plugin.name))]
  const loading = names.map(async (name) =>
    [name, await loadAdditions(draft.capabilities, name)] as const
  )
  const additions = new Map(await Promise.all(loading))
  const mounted = mountPlugins(setups, { mostRoutes: bounds.mostRoutes, additions })
  for (const { setup, message } of mounted.problems) {
    draft.source.report(problemAt(setup, message))
  }
  const config = draft.accept()
  const mayExport = isOffered("exports", config.capabilities)
  return {
    ...config,
    plugins: setups,
    failed: [...failures, ...mounted.failures],
    routes: mayExport ? mounted.routes : mounted.routes.filter((route) => !isExport(route)),
  }
}

/** True for a route that only exports answer. */
function isExport(route: MountedRoute): boolean {
  return route.kind === "listing" && route.export === true
}
