import { existsSync } from "node:fs"
import { extname } from "node:path"
import { fileURLToPath } from "node:url"
import type { Command } from "commander"
import { Refusal } from "../errors.ts"
import type { Terminal } from "../kernel/terminal.ts"

/** The configuration of a folder that `init` has set up. */
export const configName = "event-export.yaml"

/** The configuration that comes with the program. It has a demonstration. */
export const ownConfig = fileURLToPath(new URL("../../config/event-export.yaml", import.meta.url))

/** Only in a clone do commands fall back on the configuration that comes with the program. */
const isClone = extname(import.meta.url) === ".ts"

/** Returns the configuration that `--config` or `CONFIG` names; undefined if neither does. */
export function namedConfig(command: Command, { env }: Terminal): string | undefined {
  return command.optsWithGlobals<{ config?: string }>().config ?? (env["CONFIG"] || undefined)
}

/**
 * Returns the configuration of a command: the named one, or `event-export.yaml` in the working directory, or in a
 * clone its own.
 *
 * @throws {Refusal} if there is none.
 */
export function findConfig(command: Command, terminal: Terminal): string {
  const named = namedConfig(command, terminal)
  if (named !== undefined) return named
  if (existsSync(configName)) return configName
  if (isClone) return ownConfig
  throw new Refusal(
    2,
    `There is no ${configName} in this folder. "event-export init" writes one, --config names another, and ` +
      `"event-export demo" needs none.`,
  )
}
