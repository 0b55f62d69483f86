import { Command } from "commander"
import {
  buildCatalogue,
  loadPlugin,
  numbersOf,
  partnerUrl,
  planOf,
  pluginFolder,
  summariesOf,
  type Terminal,
  UserError,
} from "../../../core/capability.ts"

/** `openapi`: prints the document of every mounted route, as the plugin openapi writes it. */
export function openApiCommand(terminal: Terminal): Command {
  return new Command("openapi")
    .description("print the OpenAPI document of every route in the configuration")
    .action(async () => {
      const plan = await planOf(terminal)
      const { document } = await loadPlugin("openapi", pluginFolder)
      if (!document) throw new UserError("The plugin openapi declares no document.")
      const catalogue = buildCatalogue(plan.routes, {
        server: partnerUrl(plan.server),
        contact: plan.server.contact,
        cookie: plan.session.cookie,
        summaries: summariesOf(plan),
        reader: undefined,
        numbers: numbersOf(plan),
      })
      terminal.print(JSON.stringify(await document(catalogue), null, 2))
    })
}
