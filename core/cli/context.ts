import type { Command } from "commander"
import { type Config, readConfig } from "../config/read.ts"
import type { Database } from "../data/database.ts"
import { withConfigured } from "../kernel/configured-database.ts"
import type { Terminal } from "./terminal.ts"

/** The configuration that `--config` names, read. @throws {ConfigError} */
export async function configOf(command: Command, terminal: Terminal): Promise<Config> {
  const { config } = command.optsWithGlobals<{ config: string }>()
  return await readConfig(config, terminal.env)
}

/** Runs `work` on the database of the configuration, and closes it. */
export async function withDatabase(
  command: Command,
  terminal: Terminal,
  work: (database: Database, config: Config) => Promise<void>,
): Promise<void> {
  const config = await configOf(command, terminal)
  await withConfigured(config, (database) => work(database, config))
}

/** Lines up the columns of a table; the first row is its head. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0))
  )
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd())
    .join("\n")
}
