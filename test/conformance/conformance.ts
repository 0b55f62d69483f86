/**
 * The conformance suite of plugins, published as `event-export/conformance`. It needs no test runner:
 *
 * ```ts
 * t.strictSame(await conformanceProblems(plugin, { segment: "x", organizations: ["north"] }), [])
 * ```
 */
import { loadAdditions, loadAllCapabilities } from "../../core/inspection.ts"
import type { Plugin } from "../../core/plugin.ts"
import { accessProblems } from "./access.ts"
import { checkDeclaration } from "./declaration.ts"
import { listingProblems } from "./listing.ts"
import { withSampleService } from "./sample-service.ts"

/**
 * Returns what is wrong with a plugin, one sentence per problem; none if the plugin conforms. `settings` are what is
 * under `with` in a configuration; for a plugin that extends another, the settings of the other.
 *
 * Checks the declaration. Then serves the routes on a temporary database with records of every shape, and requests
 * them as callers with and without access. Runs handlers for GET only.
 */
export async function conformanceProblems(plugin: Plugin, settings: unknown): Promise<string[]> {
  const all = (await loadAllCapabilities()).map((capability) => ({ capability }))
  const additions = await loadAdditions(all, (plugin as Plugin | undefined)?.name ?? "")
  const { routes, problems } = checkDeclaration(plugin, settings, additions)
  if (routes.length === 0) {
    return problems.length > 0 ? [...problems] : ["it declares no route for these settings"]
  }
  return await withSampleService(routes, async (service) => {
    const found = [...problems]
    for (const route of routes) {
      found.push(...await accessProblems(route, service))
      if (route.kind === "listing" && !route.export) {
        found.push(...await listingProblems(route, service))
      }
    }
    return found
  })
}
