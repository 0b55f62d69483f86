import { Command } from "commander"
import { UserError } from "../errors.ts"
import { hasOrganizations } from "../access/organizations.ts"
import { fillDemonstration, loadDemonstration } from "../kernel/demonstration.ts"
import type { Terminal } from "./terminal.ts"
import { withDatabase } from "./context.ts"

/** `demo`: fills an empty database with the demonstration data that the configuration names. */
export function demoCommand(terminal: Terminal): Command {
  return new Command("demo")
    .description("fill an empty, migrated database with the demonstration data")
    .action(async (_options: object, command: Command) => {
      await withDatabase(command, terminal, async (database, config) => {
        if (await hasOrganizations(database)) {
          throw new UserError("The database has organizations already. Nothing was changed.")
        }
        await fillDemonstration(await loadDemonstration(config), database)
        terminal.print(
          "The database has the demonstration data. The password of every account is demo: serve it on loopback only.",
        )
      })
    })
}
