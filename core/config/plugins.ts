import { existsSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import * as v from "valibot"
import { contractProblem } from "../mount.ts"
import type { Plugin } from "../plugin.ts"

const pluginShape = v.looseObject({
  apiVersion: v.number(),
  name: v.string(),
  summary: v.string(),
  settings: v.looseObject({ kind: v.literal("schema") }),
  mount: v.function(),
})

const folder = join(import.meta.dirname, "../../plugins")

/**
 * Loads the plugin of a folder under `plugins/` by dynamic import.
 *
 * @throws {Error} saying why it cannot be used: not there, does not load, not a plugin, or written
 *   for another version of the contract.
 */
export async function loadPlugin(name: string): Promise<Plugin> {
  const file = join(folder, name, "plugin.ts")
  if (!/^[\w-]+$/.test(name) || !existsSync(file)) {
    throw new Error(`there is no plugin ${name}: no file plugins/${name}/plugin.ts`)
  }
  const module = await import(pathToFileURL(file).href).catch((error: unknown) => {
    throw new Error(`it does not load: ${(error as Error).message}`, { cause: error })
  })
  const plugin: unknown = module.default
  if (!v.is(pluginShape, plugin)) {
    throw new Error(
      `its default export is not a plugin: plugins/${name}/plugin.ts must export definePlugin({…})`,
    )
  }
  const problem = contractProblem(plugin as unknown as Plugin)
  if (problem) throw new Error(problem)
  return plugin as unknown as Plugin
}
