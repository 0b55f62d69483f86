// Writes down what the present version promises, for the tests of the next ones: make record
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import process from "node:process"
import { migrationState } from "../../core/data/migration-state.ts"
import type { Engine } from "../support/database.ts"
import { startMysql } from "../support/mysql-server.ts"
import { openStage } from "../support/pull/stage.ts"
import { dump } from "./dump.ts"
import { populate } from "./populate.ts"
import { presentContract, presentDocument } from "./present.ts"

/** Tables whose rows describe processes, not records. */
const left = ["instance", "kysely_migration_lock"]

const { version } = JSON.parse(readFileSync("package.json", "utf8"))
const folder = join(import.meta.dirname, version)
for (const name of readdirSync(import.meta.dirname)) {
  if (/^\d/.test(name)) rmSync(join(import.meta.dirname, name), { recursive: true })
}

function write(name: string, text: string): void {
  const file = join(folder, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  console.log(`${name}: ${text.split("\n").length} lines`)
}

const json = (value: unknown) => JSON.stringify(value, null, 1) + "\n"

write("openapi.json", json(await presentDocument()))
write(
  "settings.schema.json",
  json(JSON.parse(readFileSync("config/event-export.schema.json", "utf8"))),
)
for (const [file, text] of presentContract()) write(join("contract", file), text)
writeFileSync(
  join(import.meta.dirname, "last-contract.ts"),
  `/** The contract of plugins, as version ${version} had it. \`make record\` writes this. */
export type * as plugin from "./${version}/contract/core/plugin.ts"
export type * as conformance from "./${version}/contract/plugins/capabilities/conformance/conformance.ts"
`,
)

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
      write("migrations.json", json(applied))
      write(`${engine}.sql`, await dump(stage.databaseUrl, left))
    } finally {
      for (const end of ends) await end()
    }
  }
} finally {
  await mysql.stop()
}
process.exit()
