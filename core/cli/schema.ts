import { Command } from "commander"
import { configJsonSchema } from "../routes/json-schema.ts"
import type { Terminal } from "../kernel/terminal.ts"

/** `schema`: prints the JSON Schema of the configuration file, for editors. */
export function schemaCommand(terminal: Terminal): Command {
  return new Command("schema")
    .description("print the JSON Schema of the configuration, for editors")
    .action(async () => terminal.print(JSON.stringify(await configJsonSchema(), null, 2)))
}
