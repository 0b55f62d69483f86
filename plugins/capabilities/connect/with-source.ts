import { dirname, resolve } from "node:path"
import { type Database, settingsOf, UserError } from "../../../core/capability.ts"
import { type Terminal, withDatabase } from "../../../core/commands.ts"
import { type Mapping, readMapping } from "./mapping.ts"
import type { ConnectSettings } from "./settings.ts"
import { openSource, readUrl } from "./sources/open.ts"
import type { Source } from "./sources/source.ts"

/** What commands about a source work on. */
export interface MappedSource {
  readonly database: Database
  readonly source: Source
  readonly mapping: Mapping
}

/**
 * Runs work with the service's database, the mapping of its configuration, and the source. `as` names a file with the URL
 * of another user of the source. @throws {UserError} if there is no mapping, and as `work` does.
 */
export async function withSource(
  terminal: Terminal,
  as: string | undefined,
  work: (parts: MappedSource) => Promise<void>,
): Promise<void> {
  await withDatabase(terminal, async (database, config) => {
    const named = settingsOf<ConnectSettings>(config, "connect").mapping
    if (!named) {
      throw new UserError(
        'The configuration names no mapping. "event-export connect inspect" writes the first one; then add\n' +
          "connect:\n  mapping: platform.yaml",
      )
    }
    const mapping = readMapping(resolve(dirname(config.file), named), terminal.env)
    const source = await openSource(as === undefined ? mapping.url : readUrl(as))
    await work({ database, source, mapping }).finally(() => source.close())
  })
}
