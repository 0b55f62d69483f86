import { Command } from "commander"
import type { Terminal } from "../../../core/commands.ts"

/** `schema`: prints the JSON Schema of the configuration file, for editors. */
export function schemaCommand(terminal: Terminal): Command {
  return new Command("schema")
    .description("print the JSON Schema of the configuration, for editors")
    .action(async () => {
      const { configJsonSchema } = await import("./json-schema.ts")
      terminal.print(JSON.stringify(await configJsonSchema(), null, 2))
    })
}
