import { Command } from "commander"
import type { Database } from "../data/database.ts"
import { migrate } from "../data/migrate.ts"
import { dropUnusedTables } from "../data/unused-tables.ts"
import type { Terminal } from "../kernel/terminal.ts"
import { withDatabase } from "./context.ts"

/** `migrate`: brings the database's schema up to date. */
export function migrateCommand(terminal: Terminal): Command {
  return new Command("migrate")
    .description("create or update the tables and triggers of the database")
    .option(
      "--drop-unused",
      "then drop the tables of capabilities that are off, which no process may use any more",
    )
    .action(async ({ dropUnused }: { readonly dropUnused?: true }) => {
      await withDatabase(terminal, async (database) => {
        const { warn: report, shutdown: signal } = terminal
        const applied = await migrate(database, { report, signal })
        terminal.print(applied.length > 0 ? `Applied ${applied.join(", ")}.` : "Nothing to apply.")
        if (dropUnused) await drop(database, terminal)
      })
    })
}

/** Drops what is left of capabilities that are off, and prints what it was. */
async function drop(database: Database, terminal: Terminal): Promise<void> {
  let count = 0
  await dropUnusedTables(database, (table, rows, storage) => {
    count++
    terminal.print(`Dropping ${table} of ${storage}: ${rows} ${rows === 1 ? "row" : "rows"}.`)
  })
  terminal.print(count > 0 ? "Dropped." : "Nothing to drop.")
}
