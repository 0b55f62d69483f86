import { existsSync } from "node:fs"
import { hostname, userInfo } from "node:os"
import { extname } from "node:path"
import { fileURLToPath } from "node:url"
import type { Author } from "../access/audit-changes.ts"
import { type Config, type ConfigDraft, draftConfig } from "../config/read.ts"
import type { Database } from "../data/database.ts"
import { ExitError, UserError } from "../errors.ts"
import { recorderOf } from "../kernel/capabilities.ts"
import { capabilitiesOf } from "../kernel/capability.ts"
import { withConfigured } from "../kernel/configured-database.ts"
import { printableLine } from "../kernel/printable.ts"
import { type Plan, planDraft } from "../routes/plan.ts"
import type { Terminal } from "../kernel/terminal.ts"

/** The configuration of a folder that `init` has set up. */
export const configName = "event-export.yaml"

/** The configuration that comes with the program. It has a demonstration. */
export const ownConfig = fileURLToPath(new URL("../../config/event-export.yaml", import.meta.url))

/** Only in a clone do commands fall back on the configuration that comes with the program. */
const isClone = extname(import.meta.url) === ".ts"

/** Returns the named configuration, or that of the working directory, or in a clone its own. @throws {ExitError} */
export function findConfig({ config }: Terminal): string {
  if (config === "") {
    throw new ExitError(2, "--config or CONFIG is empty: name a file, or leave it out.")
  }
  if (config !== undefined) return config
  if (existsSync(configName)) return configName
  if (isClone) return ownConfig
  throw new ExitError(
    2,
    `There is no ${configName} in this folder. "event-export init" writes one, --config names another, and ` +
      `"event-export demo" needs none.`,
  )
}

/** Returns the configuration as it has been read. @throws {ConfigError} if it cannot be, and as `findConfig`. */
export async function readDraft(terminal: Terminal): Promise<ConfigDraft> {
  return terminal.draft ?? await draftConfig(findConfig(terminal), terminal.env)
}

/** Returns the settings of the configuration, without its plugins. @throws {ConfigError} with all that is wrong. */
export async function readSettings(terminal: Terminal): Promise<Config> {
  return (await readDraft(terminal)).accept()
}

/** Mounts the plugins of the configuration. @throws {ConfigError} and as `readDraft`. */
export async function loadPlan(terminal: Terminal): Promise<Plan> {
  return await planDraft(await readDraft(terminal))
}

/** Runs `work` on the database of the configuration, then closes it. Loads no plugin. @throws {ConfigError} */
export async function withDatabase(
  terminal: Terminal,
  work: (database: Database, config: Config) => Promise<void>,
): Promise<void> {
  const config = await readSettings(terminal)
  try {
    await withConfigured(config, (database) => work(database, config))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== "ER_NO_SUCH_TABLE" && !/^no such table: /.test(message)) throw error
    throw new UserError(`${message}. Run "event-export migrate" first.`, { cause: error })
  }
}

/** Returns who runs the command, and where, and what records their changes. */
export function authorOf(config: Pick<Config, "capabilities">): Author {
  const record = recorderOf(capabilitiesOf(config))
  return { actor: userName(), address: hostname(), record }
}

/** Containers may run under a number without a name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return "unknown"
  }
}

/** Aligns the columns of a table, a line per row. The first row is its head. */
export function textTable(texts: readonly (readonly string[])[]): string {
  const rows = texts.map((cells) => cells.map(printableLine))
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0))
  )
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd())
    .join("\n")
}
