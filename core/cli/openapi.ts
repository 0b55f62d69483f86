import { Command } from "commander"
import { partnerUrl } from "../http/loopback.ts"
import { summariesOf } from "../openapi/describe-for.ts"
import type { Terminal } from "./terminal.ts"
import { planOf } from "./context.ts"

/** `openapi`: the OpenAPI document of everything that the configuration serves. */
export function openApiCommand(terminal: Terminal): Command {
  return new Command("openapi")
    .description("print the OpenAPI document of everything that the configuration serves")
    .action(async (_options: object, command: Command) => {
      const plan = await planOf(command, terminal)
      // The other commands start without it.
      const { openApiDocument } = await import("../openapi/document.ts")
      const document = openApiDocument(plan.routes, {
        server: partnerUrl(plan.server),
        cookie: plan.session.cookie,
        summaries: summariesOf(plan),
      })
      terminal.print(JSON.stringify(document, null, 2))
    })
}
