import { readdirSync, statSync } from "node:fs"
import { basename, isAbsolute, join, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { suggest } from "../nearest.ts"
import type { Plugin } from "./contract.ts"
import { findModule } from "../config/installed.ts"
import { isFound, resolveContract, resolvePackage } from "./resolve-contract.ts"
import { pluginMistakes } from "./validate.ts"

/** The folder of plugins that a configuration names without a path, there or in one of its folders. */
export const pluginFolder = fileURLToPath(new URL("../../plugins", import.meta.url))

/** Time limit for loading a plugin's code, in milliseconds. */
const loadLimit = 10_000

/**
 * Loads a plugin by dynamic import. `use` names a folder of `plugins/` or of a folder there, or a package that is
 * installed for `base` or for this program; or it is a path from `base`, of a file or of a folder with `plugin.ts` or
 * `plugin.js`. Loads a changed file again, but not the files that it imports.
 *
 * @throws {Error} if it is missing, does not load in time, or is not valid for this version of the contract.
 */
export async function loadPlugin(use: string, base: string): Promise<Plugin> {
  resolveContract()
  const specifier = specifierOf(use, base)
  const module = await withTimeLimit(loadLimit, import(specifier)).catch((error: unknown) => {
    throw new Error(`it does not load: ${describe(error, specifier)}`, { cause: error })
  })
  const plugin: unknown = module.default
  const mistakes = pluginMistakes(plugin)
  if (mistakes.length > 0) throw new Error(mistakes.join("; "))
  return plugin as Plugin
}

/** Describes an error. A syntax error does not say its place, so this names a command that does. */
function describe(error: unknown, specifier: string): string {
  if (!(error instanceof Error)) return String(error)
  const [url = ""] = specifier.split("?")
  if ((error as NodeJS.ErrnoException).code === "ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING") {
    return `it ships TypeScript, which Node.js does not run under node_modules. Its author has to compile it ` +
      `before "npm pack"`
  }
  const isSyntax = error instanceof SyntaxError && url.startsWith("file:")
  return isSyntax
    ? `${error.message} ("node --check ${fileURLToPath(url)}" shows the place)`
    : error.message
}

function specifierOf(use: string, base: string): string {
  const isPath = /^\.{1,2}\//.test(use) || isAbsolute(use)
  const file = isPath ? findModule(resolve(base, use), "plugin") : findPlugin(use)
  if (file) {
    const { mtimeMs, size } = statSync(file)
    return `${pathToFileURL(file).href}?v=${mtimeMs}-${size}`
  }
  if (isPath) {
    throw new Error(
      `there is no such file, nor a plugin.ts or plugin.js in ${resolve(base, use)}`,
    )
  }
  try {
    return resolvePackage(use, base)
  } catch (error) {
    if (isFound(error)) throw new Error(`its package is not usable: ${(error as Error).message}`)
    throw new Error(
      `there is no plugin ${use}, and no package of that name is installed${
        suggest(use, pluginNames(), 3)
      }`,
    )
  }
}

/** Returns the names of the plugins in the plugin folder, sorted. */
export function pluginNames(): string[] {
  const folders = groups().flatMap(foldersOf).filter((folder) => findModule(folder, "plugin"))
  return [...new Set(folders.map((folder) => basename(folder)))].sort()
}

/** Returns the file of a plugin in the plugin folder. One that was dropped there hides one of a folder. */
function findPlugin(name: string): string | undefined {
  return groups().map((folder) => findModule(join(folder, name), "plugin")).find(Boolean)
}

/** Returns the folders that may have plugins. */
function groups(): string[] {
  return [pluginFolder, ...foldersOf(pluginFolder)]
}

function foldersOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name))
}

async function withTimeLimit<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new Error(`it was not loaded within ${milliseconds / 1000} seconds`)),
    milliseconds,
  )
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
