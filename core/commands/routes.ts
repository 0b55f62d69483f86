import { Command } from "commander"
import { describePolicy } from "../auth/policies.ts"
import type { Terminal } from "../terminal.ts"
import { configOf, table } from "./context.ts"

/** `routes`: what the configuration serves, and to whom. */
export function routesCommand(terminal: Terminal): Command {
  return new Command("routes")
    .description("list every route with its plugin and who may use it")
    .action(async (_options: object, command: Command) => {
      const { routes } = await configOf(command, terminal)
      const rows = routes.map(({ method, pattern, plugin, auth }) => [
        method,
        pattern.text,
        plugin,
        describePolicy(auth),
      ])
      terminal.print(table([["METHOD", "PATH", "PLUGIN", "WHO"], ...rows]))
    })
}
