import { allStorages } from "./storages.ts"
import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { DatabaseSync } from "node:sqlite"
import { migrate } from "../../core/data/migrate.ts"
import { openDatabase } from "../../core/data/open.ts"
import type { Storages } from "../../core/data/storage.ts"
import { atExit } from "./at-exit.ts"

/**
 * Makes a database with the tables, triggers and rows that `migrate` makes, and an epoch of its own: a copy of a
 * template. The first call for some storages makes their template: of all test files, if TEST_TEMPLATES names a folder,
 * else of this process.
 */
export async function copySqlite(url: string, storages: Storages = allStorages): Promise<void> {
  const name = `sqlite-${storages.on.map(({ name }) => name).sort().join("-")}`
  const template = join(process.env["TEST_TEMPLATES"] || ownFolder(), name)
  if (!existsSync(template)) await makeTemplate(template, storages)
  const file = url.slice("sqlite:".length)
  copyFileSync(template, file)
  const database = new DatabaseSync(file)
  const epoch = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
  database.prepare("update change_state set epoch = ?").run(epoch)
  database.close()
}

async function makeTemplate(template: string, storages: Storages): Promise<void> {
  // Another process may be making it as well.
  const fresh = `${template}-${process.pid}`
  const database = await openDatabase(`sqlite:${fresh}`, {
    connections: 1,
    timeLimit: 30,
    storages,
  })
  await migrate(database)
  await database.close()
  renameSync(fresh, template)
}

let own: string | undefined

function ownFolder(): string {
  if (own !== undefined) return own
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  atExit(() => rmSync(folder, { recursive: true, force: true }))
  return own = folder
}
