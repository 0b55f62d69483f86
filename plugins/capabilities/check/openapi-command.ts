import { Command } from "commander"
import { partnerUrl, UserError } from "../../../core/capability.ts"
import { loadPlan, type Terminal } from "../../../core/commands.ts"
import {
  buildCatalogue,
  loadAdditions,
  loadPlugin,
  numbersOf,
  pluginFolder,
  summariesOf,
} from "../../../core/inspection.ts"
import type { Catalogue } from "../../../core/plugin.ts"

/** Writes a document, with what capabilities add to it. */
type DocumentOf = (catalogue: Catalogue, additions: readonly unknown[]) => Promise<object>

/** `openapi`: prints the document of every mounted route, as the plugin openapi writes it. */
export function openApiCommand(terminal: Terminal): Command {
  return new Command("openapi")
    .description("print the OpenAPI document of every route in the configuration")
    .action(async () => {
      const plan = await loadPlan(terminal)
      const { document }: { document?: DocumentOf } = await loadPlugin("openapi", pluginFolder)
      if (!document) throw new UserError("The plugin openapi declares no document.")
      const additions = await loadAdditions(plan.capabilities, "openapi")
      const catalogue = buildCatalogue(plan.routes, {
        server: partnerUrl(plan.server),
        contact: plan.server.contact,
        cookie: plan.session.cookie,
        summaries: summariesOf(plan),
        reader: undefined,
        numbers: numbersOf(plan),
      })
      terminal.print(JSON.stringify(await document(catalogue, additions), null, 2))
    })
}
