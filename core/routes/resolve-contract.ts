import * as module from "node:module"

/** What plugins outside this repository import, and the file behind it. */
const published: Readonly<Record<string, URL>> = {
  "event-export/plugin": new URL("../plugin.ts", import.meta.url),
  "event-export/conformance": new URL("../conformance/conformance.ts", import.meta.url),
}

let done = false

/**
 * Makes `event-export/plugin` and `event-export/conformance` mean this very installation, for
 * plugins wherever they lie. On Deno the import map `core/imports.json` says the same.
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
