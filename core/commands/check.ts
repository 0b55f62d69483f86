import { Command } from "commander"
import type { Terminal } from "../terminal.ts"
import { configOf } from "./context.ts"

/** `check`: reads the configuration, loads and mounts its plugins, and says what is wrong. */
export function checkCommand(terminal: Terminal): Command {
  return new Command("check")
    .description("check the configuration without serving it")
    .action(async (_options: object, command: Command) => {
      const { file, plugins, routes } = await configOf(command, terminal)
      terminal.print(`${file} is good: ${plugins.length} plugins, ${routes.length} routes.`)
    })
}
