import { Command } from "commander"
import { migrate } from "../data/migrate.ts"
import type { Terminal } from "./terminal.ts"
import { withDatabase } from "./context.ts"

/** `migrate`: brings the database's schema up to date. */
export function migrateCommand(terminal: Terminal): Command {
  return new Command("migrate")
    .description("create or update the tables and triggers of the database")
    .action(async (_options: object, command: Command) => {
      await withDatabase(command, terminal, async (database) => {
        const { warn: report, shutdown: signal } = terminal
        const applied = await migrate(database, { report, signal })
        terminal.print(applied.length > 0 ? `Applied ${applied.join(", ")}.` : "Nothing to apply.")
      })
    })
}
