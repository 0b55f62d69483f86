import { copyFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Kysely } from "kysely"
import type { Test } from "tap"
import demonstration from "../../config/demo/demonstration.ts"
import type { Platform } from "../../config/demo/platform.ts"
import type { Database } from "../../core/data/database.ts"
import { loadDriver } from "../../core/data/open.ts"
import { type Mapping, readMapping } from "../../plugins/capabilities/connect/mapping.ts"
import { openSource } from "../../plugins/capabilities/connect/sources/open.ts"
import { takeOver } from "../../plugins/capabilities/connect/take-over.ts"
import { configFolder } from "./config-folder.ts"
import { type Engine, freshUrl } from "./database.ts"

/** The platform of a demonstration, and what brings its records to the service. */
export interface DemoPlatform {
  readonly platform: Kysely<Platform>
  /** Takes over what has changed, as `connect` does every few seconds. */
  takeOver(): Promise<void>
}

/** Fills an empty platform and a migrated database with the demonstration. The password of all accounts is the hash. */
export async function demoPlatform(
  t: Test,
  engine: Engine,
  database: Database,
  hash = "hash of demo",
): Promise<DemoPlatform> {
  const url = await freshUrl(t, engine)
  const { open } = await loadDriver(url)
  const { writer } = await open(url, { connections: 1, timeLimit: 10 })
  t.teardown(() => writer.destroy())
  const platform = writer as unknown as Kysely<Platform>
  const hashPassword = () => Promise.resolve(hash)
  await demonstration.fill({ db: database.writer, platform: platform as never, hashPassword })
  const source = await openSource(url)
  t.teardown(() => source.close())
  const mapping = mappingAt(configFolder(t).folder, url)
  return {
    platform,
    async takeOver() {
      await takeOver({ database, source, mapping, owner: "the demonstration" })
    },
  }
}

/** Reads the demonstration's mapping for a platform at a URL. Writes both into a folder. */
export function mappingAt(folder: string, url: string): Mapping {
  writeFileSync(join(folder, "platform-url"), url, { mode: 0o600 })
  const file = join(folder, "platform.yaml")
  copyFileSync(demonstration.mapping, file)
  return readMapping(file, {})
}
