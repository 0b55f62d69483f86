import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Kysely } from "kysely"
import {
  fillPlatform,
  type Platform,
  type Rows as PlatformRows,
} from "../../config/demo/platform.ts"
import { migrate } from "../../core/data/migrate.ts"
import { loadDriver, openDatabase } from "../../core/data/open.ts"
import { categories } from "../../core/records/kinds/categories.ts"
import { openSource } from "../../plugins/capabilities/connect/sources/open.ts"
import { takeOver } from "../../plugins/capabilities/connect/take-over.ts"
import { mappingAt } from "./demo-platform.ts"
import type { Rows } from "./insert-rows.ts"
import { allStorages } from "./storages.ts"

/** Returns the rows of the service's tables that records of the demonstration's platform become. */
export async function recordsOf(rows: readonly PlatformRows[]): Promise<Rows> {
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  const urlOf = (name: string) => `sqlite:${join(folder, `${name}.db`)}`
  const options = { connections: 1, timeLimit: 60, storages: allStorages }
  const platform = await (await loadDriver(urlOf("platform"))).open(urlOf("platform"), options)
  const database = await openDatabase(urlOf("service"), options)
  try {
    await fillPlatform(platform.writer as unknown as Kysely<Platform>, rows)
    await migrate(database)
    const source = await openSource(urlOf("platform"))
    const mapping = mappingAt(folder, urlOf("platform"))
    await takeOver({ database, source, mapping, owner: "a test" }).finally(() => source.close())
    const tables = ["consent", "address", ...Object.values(categories)] as const
    const found = await Promise.all(tables.map(async (table) => {
      const all = await database.writer.selectFrom(table as "guest").selectAll().execute()
      return [table, all.map(({ export_version: _version, ...row }) => row)]
    }))
    return Object.fromEntries(found)
  } finally {
    await platform.writer.destroy()
    await platform.reader.destroy()
    await database.close()
    rmSync(folder, { recursive: true })
  }
}
