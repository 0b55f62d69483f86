// Writes down what the present version promises, for the tests of the next ones: make record
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { migrationState } from "../../core/data/migration-state.ts"
import type { Engine } from "../support/database.ts"
import { startMysql } from "../support/mysql-server.ts"
import { openStage } from "../support/pull/stage.ts"
import { dump } from "./dump.ts"
import { exportedNames } from "./exported-names.ts"
import { populate } from "./populate.ts"
import { presentDocument } from "./present-document.ts"

/** Tables whose rows describe processes, not records. */
const left = ["instance", "kysely_migration_lock"]

const { version } = JSON.parse(readFileSync("package.json", "utf8"))
const folder = join(import.meta.dirname, version)
for (const name of readdirSync(import.meta.dirname)) {
  if (/^\d/.test(name)) rmSync(join(import.meta.dirname, name), { recursive: true })
}

mkdirSync(folder)

/** Returns JSON with a line for each member down to some levels, so that people can compare two versions. */
function inLines(value: unknown, levels: number): string {
  const part = (value: unknown, levels: number): string => {
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value)
    if (levels === 0 || !isObject) return JSON.stringify(value)
    const members = Object.entries(value)
      .map(([name, member]) => `${JSON.stringify(name)}: ${part(member, levels - 1)}`)
    return `{\n${members.join(",\n")}\n}`
  }
  return part(value, levels) + "\n"
}

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text)
  console.log(`${name}: ${text.split("\n").length} lines`)
}

write("openapi.json", inLines(await presentDocument(), 3))
write(
  "settings.schema.json",
  inLines(JSON.parse(readFileSync("config/event-export.schema.json", "utf8")), 4),
)
write("exports.json", inLines(exportedNames(), 0))

const mysql = await startMysql(AbortSignal.timeout(600_000))
if (!mysql) process.exit(1)
process.env["TEST_MYSQL_URL"] = mysql.url
try {
  for (const engine of ["sqlite", "mysql"] satisfies Engine[]) {
    const ends: (() => unknown)[] = []
    try {
      const stage = await openStage({ teardown: (end) => ends.unshift(end) }, engine)
      await populate(stage)
      const { applied } = await migrationState(stage.database)
      write("migrations.json", inLines(applied, 0))
      write(`${engine}.sql`, await dump(stage.databaseUrl, left))
    } finally {
      for (const end of ends) await end()
    }
  }
} finally {
  await mysql.stop()
}
process.exit()
