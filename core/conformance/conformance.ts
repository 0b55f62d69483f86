/**
 * The conformance suite of plugins, published as `event-export/conformance`. It needs no test runner:
 *
 * ```ts
 * t.strictSame(await conformanceProblems(plugin, { segment: "x", organizations: ["north"] }), [])
 * ```
 */
import type { Plugin } from "../routes/contract.ts"
import { accessProblems } from "./access.ts"
import { checkDeclaration } from "./declaration.ts"
import { listingProblems } from "./listing.ts"
import { withSampleService } from "./sample-service.ts"

/**
 * What is wrong with a plugin, a sentence each; nothing when it conforms.
 *
 * `settings` are as they stand under `with` in a configuration, or for a plugin that extends another
 * those of the other. First the declaration is checked. Then its routes are served, on a temporary
 * database with records of every shape, and asked by those that they are for and by those that they
 * are not for. Handlers run for GET alone.
 */
export async function conformanceProblems(plugin: Plugin, settings: unknown): Promise<string[]> {
  const { routes, problems } = checkDeclaration(plugin, settings)
  if (routes.length === 0) {
    return problems.length > 0 ? [...problems] : ["it declares no route for these settings"]
  }
  return await withSampleService(routes, async (service) => {
    const found = [...problems]
    for (const route of routes) {
      found.push(...await accessProblems(route, service))
      if (route.kind === "listing") found.push(...await listingProblems(route, service))
    }
    return found
  })
}
