import { globSync } from "node:fs"
import { basename } from "node:path"
import { setTimeout } from "node:timers/promises"
import { sql } from "kysely"
import mysql from "mysql2/promise"
import t from "tap"
import type { Database } from "../../../core/data/database.ts"
import { findMissing } from "../../../core/data/check-tables.ts"
import { migrationState } from "../../../core/data/migration-state.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { kernelStorage } from "../../../core/data/kernel-storage.ts"
import { freshUrl, onEveryEngine, openFor, withoutMysql } from "../../support/database.ts"
import { capabilityStorages } from "../../support/storages.ts"

/** The server's lock that Kysely's migrator takes. */
const kyselysLock = "ea586330-2c93-47c8-908d-981d9d270f9d"

await onEveryEngine(t, async (t, engine) => {
  await t.test("migrate applies every migration once, in order", async (t) => {
    const database = await openFor(t, await freshUrl(t, engine))
    const { applied, pending } = await migrationState(database)
    t.strictSame(applied, [])
    t.ok(pending.length > 0)
    t.strictSame(await migrate(database), pending)
    t.strictSame(await migrate(database), [])
    const all = [...pending, ...kernelStorage.former ?? []].sort()
    t.strictSame(await migrationState(database), {
      recorded: all,
      applied: all,
      pending: [],
      later: [],
      missing: [],
    })
  })
})

t.test("migrate on MySQL", { skip: withoutMysql }, async (t) => {
  const url = await freshUrl(t, "mysql")
  const waiting = await openFor(t, await freshUrl(t, "mysql"), { timeLimit: 1 })
  const indexesOf = async ({ writer }: Database) => {
    const { rows } = await sql<{ name: string }>`
      select distinct concat(table_name, '.', index_name) as name
      from information_schema.statistics where table_schema = database()`.execute(writer)
    return rows.map(({ name }) => name).sort()
  }

  await t.test("waits for another process longer than the time limit of requests", async (t) => {
    const other = await mysql.createConnection(url)
    t.teardown(() => other.end())
    await other.query(`select get_lock('${kyselysLock}', 10)`)
    let isWaiting = true
    const migrating = migrate(waiting).finally(() => (isWaiting = false))
    // Twice the time limit of requests. While the lock is taken, only an error ends the migration.
    await setTimeout(2000)
    t.ok(isWaiting)
    await other.query(`select release_lock('${kyselysLock}')`)
    t.ok((await migrating).length > 0)
  })

  await t.test("creates the tables of capabilities in a new database if it was interrupted before, with every index", async (t) => {
    let noted = 0
    const interrupted = await openFor(t, url, {
      onStatement: (text) => {
        if (!/^insert into `kysely_migration`/.test(text)) return
        // The baseline, and the migrations of versions before.
        if (++noted === 1 + (kernelStorage.former ?? []).length) throw new Error("interrupted")
      },
    })
    // Begins again, since migrations have been noted meanwhile.
    await migrate(interrupted)
    t.strictSame(await findMissing(interrupted), [])
    // Another database of the server had the same indexes before.
    const indexes = await indexesOf(interrupted)
    t.ok(indexes.includes("session.session_ends"), indexes.join())
    t.strictSame(indexes, await indexesOf(waiting))
  })
})

t.test("migrate applies every file of migrations whose name has a number, and what capabilities declare", async (t) => {
  const files = globSync([
    "core/data/migrations/[0-9]*.ts",
    "plugins/capabilities/*/migrations/*-[0-9]*.ts",
  ]).map((path) => basename(path, ".ts"))
  const declared = capabilityStorages.flatMap(({ migrations }) => Object.keys(migrations))
  t.strictSame(capabilityStorages.filter(({ name }) => !declared.includes(`${name}-0001`)), [])
  const { pending } = await migrationState(await openFor(t, await freshUrl(t, "sqlite")))
  t.strictSame(pending, [...new Set(["0001-baseline", ...files, ...declared])].sort())
})
