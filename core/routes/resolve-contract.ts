import * as module from "node:module"
import { extname, join } from "node:path"
import { pathToFileURL } from "node:url"
import map from "../imports.json" with { type: "json" }

/** The specifiers that plugins outside this repository import, and the URLs of their files. */
const published = new Map(
  Object.entries(map.imports).map(([name, path]) => {
    // `.ts` in a clone, `.js` in the package.
    const file = path.replace(/\.ts$/, extname(import.meta.url))
    return [name, new URL(`../${file}`, import.meta.url).href]
  }),
)

let done = false

/** From where packages are resolved, if not from the module that imports them. */
let place: string | undefined

/** Resolves `event-export/…` to this installation, for plugins anywhere. On Deno, the import map does the same. */
export function resolveContract(): void {
  if (done) return
  done = true
  module.registerHooks?.({
    resolve(specifier, context, next) {
      const url = published.get(specifier)
      if (url !== undefined) return { url, shortCircuit: true }
      return next(specifier, place === undefined ? context : { ...context, parentURL: place })
    },
  })
}

/**
 * Returns the URL of a package: the one that is installed for this folder (not on Deno), or else for the program.
 * @throws as `import.meta.resolve` does.
 */
export function resolvePackage(name: string, folder: string): string {
  resolveContract()
  place = pathToFileURL(join(folder, "configuration")).href
  try {
    return import.meta.resolve(name)
  } catch (error) {
    if (isFound(error)) throw error
  } finally {
    place = undefined
  }
  return import.meta.resolve(name)
}

/** Returns true if a package was found that cannot be resolved. */
export function isFound(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code !== undefined && code !== "ERR_MODULE_NOT_FOUND"
}
