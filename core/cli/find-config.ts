import { existsSync } from "node:fs"
import { extname } from "node:path"
import { fileURLToPath } from "node:url"
import { Refusal } from "../errors.ts"
import type { Terminal } from "../kernel/terminal.ts"

/** The configuration of a folder that `init` has set up. */
export const configName = "event-export.yaml"

/** The configuration that comes with the program. It has a demonstration. */
export const ownConfig = fileURLToPath(new URL("../../config/event-export.yaml", import.meta.url))

/** Only in a clone do commands fall back on the configuration that comes with the program. */
const isClone = extname(import.meta.url) === ".ts"

/**
 * Returns the configuration of a command: the named one, or `event-export.yaml` in the working directory, or in a
 * clone its own.
 *
 * @throws {Refusal} if there is none.
 */
export function findConfig({ config }: Terminal): string {
  if (config !== undefined) return config
  if (existsSync(configName)) return configName
  if (isClone) return ownConfig
  throw new Refusal(
    2,
    `There is no ${configName} in this folder. "event-export init" writes one, --config names another, and ` +
      `"event-export demo" needs none.`,
  )
}
