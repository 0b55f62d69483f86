import * as module from "node:module"
import { extname } from "node:path"

/** `.ts` in a clone, `.js` in the package. */
const extension = extname(import.meta.url)

/** The specifiers that plugins outside this repository import, and their files. */
const published: Readonly<Record<string, URL>> = {
  "event-export/plugin": new URL(`../plugin${extension}`, import.meta.url),
  "event-export/conformance": new URL(
    `../conformance/conformance${extension}`,
    import.meta.url,
  ),
}

let done = false

/**
 * Resolves `event-export/plugin` and `event-export/conformance` to this installation, for plugins in
 * any folder. On Deno, the import map `core/imports.json` does the same.
 */
export function resolveContract(): void {
  if (done) return
  done = true
  module.registerHooks?.({
    resolve(specifier, context, next) {
      const url = published[specifier]?.href
      return url === undefined ? next(specifier, context) : { url, shortCircuit: true }
    },
  })
}
