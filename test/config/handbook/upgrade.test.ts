import { readFileSync } from "node:fs"
import { sql } from "kysely"
import mysql from "mysql2/promise"
import t from "tap"
import { migrate } from "../../../core/data/migrate.ts"
import { configFolder, goodConfig } from "../../support/config-folder.ts"
import { freshUrl, openFor, withoutMysql } from "../../support/database.ts"
import { expand, laterMigration, migrateLater } from "../../support/later-version.ts"
import { runCommand } from "../../support/run-command.ts"

const page = readFileSync("config/handbook/upgrade.md", "utf8")
  .replaceAll("0019-pronouns", laterMigration)
const lines = page.split("\n").map((line) => line.trim())

t.test("an older version prints what the page says of rolling back", async (t) => {
  const url = await freshUrl(t, "sqlite")
  const database = await openFor(t, url)
  await migrate(database)
  await migrateLater(database, expand)
  const file = configFolder(t).write(goodConfig.replace("sqlite:test.db", url))
  const { code, text } = await runCommand(`--config ${file} migrate`)
  t.equal(code, 0)
  for (const line of text.split("\n")) t.ok(lines.includes(line), line)
})

t.test("a version that lacks a column refuses to start, in the words of the page", async (t) => {
  const url = await freshUrl(t, "sqlite")
  const database = await openFor(t, url)
  await migrate(database)
  await sql`alter table guest drop column company_name`.execute(database.migrator)
  const file = configFolder(t).write(goodConfig.replace("sqlite:test.db", url))
  const { code, err } = await runCommand(`--config ${file} serve`)
  t.equal(code, 1)
  const [words = "?"] =
    /the database lacks guest\.company_name: run "event-export migrate"/.exec(page) ?? []
  t.ok(err.includes(words), err)
})

t.test("migrate says that it waits in the words of the page", { skip: withoutMysql }, async (t) => {
  const url = await freshUrl(t, "mysql")
  const database = await openFor(t, url)
  await migrate(database)
  // The last migration alters no table that a reader holds: a trigger that has to be made again does.
  await sql`drop trigger guest_insert`.execute(database.migrator)
  const reader = await mysql.createConnection(url)
  t.teardown(() => reader.end())
  await reader.query("begin")
  await reader.query("select * from guest limit 1")
  const reports: string[] = []
  const report = (message: string) => {
    reports.push(message)
    void reader.query("rollback")
  }
  await migrate(database, { report })
  const waits = reports[0]?.replace("Restoring the triggers", `Migration ${laterMigration}`) ?? "?"
  t.ok(lines.includes(waits), waits)
})
