import { type Config, draftConfig } from "../config/read.ts"
import type { MountedRoute } from "./contract.ts"
import { mountPlugins } from "./mount.ts"
import { type PluginFailure, type PluginSetup, problemAt, setUpPlugins } from "./setup.ts"

/** A configuration with its plugins loaded and mounted: everything that a service serves. */
export interface Plan extends Config {
  readonly plugins: readonly PluginSetup[]
  /** Optional plugins that cannot be used. */
  readonly failed: readonly PluginFailure[]
  /** Sorted by path. */
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
  const draft = draftConfig(path, environment)
  // Plugins are checked even if other settings are wrong: all problems are reported at once.
  const { setups, failures } = await setUpPlugins(draft)
  const mounted = mountPlugins(setups)
  for (const { setup, message } of mounted.problems) {
    draft.source.report(problemAt(setup, message))
  }
  return {
    ...draft.accept(),
    plugins: setups,
    failed: [...failures, ...mounted.failures],
    routes: mounted.routes,
  }
}
