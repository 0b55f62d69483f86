import { Command } from "commander"
import { loadPlan, type Terminal, textTable } from "../../../core/commands.ts"
import { describePolicy } from "../../../core/inspection.ts"

/** `routes`: lists the routes of the configuration, and who may use them. */
export function routesCommand(terminal: Terminal): Command {
  return new Command("routes")
    .description("list every route with its plugin and who may use it")
    .action(async () => {
      const { routes } = await loadPlan(terminal)
      const rows = routes.map((route) => [
        route.method,
        route.pattern.text,
        route.plugin,
        describePolicy(route.auth),
        route.kind === "handler" && route.announced ? "announced" : "",
      ])
      terminal.print(textTable([["METHOD", "PATH", "PLUGIN", "WHO", "NOTE"], ...rows]))
    })
}
