import { loadAdditions } from "../config/capabilities.ts"
import { sha256 } from "../data/sha256.ts"
import { type Config, type ConfigDraft, draftConfig } from "../config/read.ts"
import type { Environment } from "../config/source.ts"
import type { MountedRoute } from "./contract.ts"
import { type ListDeriver, mountPlugins } from "./mount.ts"
import { type PluginSetup, setUpPlugins } from "./setup.ts"

/** A configuration with its plugins loaded and mounted: everything that a service serves. */
export interface Plan extends Config {
  readonly plugins: readonly PluginSetup[]
  /** Sorted by path. */
  readonly routes: readonly MountedRoute[]
}

/**
 * Reads a configuration file, then loads, checks and mounts the plugins that it names. Opens no database.
 * @throws {ConfigError} with everything that is wrong in the file and in its plugins.
 */
export async function readPlan(path: string, environment: Environment): Promise<Plan> {
  return await planDraft(await draftConfig(path, environment))
}

/** Loads, checks and mounts the plugins of a configuration that has been read. @throws as `readPlan` does. */
export async function planDraft(draft: ConfigDraft): Promise<Plan> {
  // Plugins are checked even if other settings are wrong: all problems are reported at once.
  const setups = await setUpPlugins(draft)
  const names = [...new Set(setups.map(({ plugin }) => plugin.name))]
  const loading = names.map(async (name) =>
    [name, await loadAdditions(draft.capabilities, name)] as const
  )
  const additions = new Map(await Promise.all(loading))
  // What is loaded has been checked by the types of its module.
  const deriving = draft.capabilities.map(({ capability }) => capability as ListDeriver)
  const mounted = mountPlugins(setups, { additions, deriving })
  for (const problem of mounted.problems) draft.source.report(problem)
  const config = draft.accept()
  const byUse = Map.groupBy(setups, ({ use }) => `plugins.${use}`)
  const ofPlugins = [...byUse].map(([name, same]) =>
    [name, sha256(JSON.stringify(same.map(({ settings }) => settings)))] as const
  )
  const settings = { ...config.settings, ...Object.fromEntries(ofPlugins) }
  return { ...config, settings, plugins: setups, routes: mounted.routes }
}
