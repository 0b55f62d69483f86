import { dirname, resolve } from "node:path"
import { type Config, settingsOf, UserError } from "../../../core/capability.ts"
import type { Terminal } from "../../../core/commands.ts"
import { type Mapping, readMapping } from "./mapping.ts"
import type { ConnectSettings } from "./settings.ts"

/** Reads the mapping of a configuration, or another file. For commands. @throws {UserError} if there is none. */
export function mappingOf(config: Config, { env }: Pick<Terminal, "env">, file?: string): Mapping {
  if (file !== undefined) return readMapping(resolve(file), env)
  const { mapping } = settingsOf<ConnectSettings>(config, "connect")
  if (mapping === undefined) {
    throw new UserError(
      'The configuration names no mapping. "event-export connect inspect" writes the first one; then add\n' +
        "connect:\n  mapping: platform.yaml",
    )
  }
  return readMapping(resolve(dirname(config.file), mapping), env)
}
