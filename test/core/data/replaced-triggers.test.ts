import { sql } from "kysely"
import mysql from "mysql2/promise"
import t from "tap"
import { migrate } from "../../../core/data/migrate.ts"
import { findTriggerFaults, triggersOf } from "../../../core/data/triggers.ts"
import { freshUrl, onEveryEngine, openFor, withoutMysql } from "../../support/database.ts"

await onEveryEngine(t, async (t, engine) => {
  await t.test("migrate replaces the triggers of a table at once, while nobody else can change it", async (t) => {
    const url = await freshUrl(t, engine)
    const statements: string[] = []
    const database = await openFor(t, url, {
      onStatement: (text) => statements.push(text.replaceAll(/\s+/g, " ").slice(0, 40)),
    })
    await migrate(database)
    const two = triggersOf(database.dialect).filter(({ table }) => table === "guest").slice(0, 2)
    for (const { name, definition } of two) {
      await sql`drop trigger ${sql.table(name)}`.execute(database.migrator)
      const other = definition.replace(/\bbegin\b/, "begin /* another one */")
      await sql.raw(`create trigger ${name} ${other}`).execute(database.migrator)
    }
    const faults = await findTriggerFaults(database)
    t.strictSame(faults.map(({ fault }) => fault), ["different", "different"])
    statements.length = 0
    t.strictSame(await migrate(database), two.map(({ name }) => `trigger ${name}`))
    const at = statements.findIndex((text) => text.startsWith("drop trigger"))
    const [hold, ...replaced] = statements.slice(at - 1, at + 5)
    t.match(hold, engine === "mysql" ? /^lock tables `guest` write$/ : /^begin immediate$/)
    t.strictSame(replaced.map((text) => text.split(" ").slice(0, 2).join(" ")), [
      "drop trigger",
      "create trigger",
      "drop trigger",
      "create trigger",
      ...engine === "mysql" ? ["unlock tables"] : ["commit"],
    ])
    t.strictSame(await findTriggerFaults(database), [])
  })
})

t.test(
  "migrate names the table whose trigger it waits to replace, and waits briefly for the next one",
  {
    skip: withoutMysql,
  },
  async (t) => {
    const url = await freshUrl(t, "mysql")
    const database = await openFor(t, url)
    await migrate(database)
    const tables = ["guest", "ticket"]
    const readers: mysql.Connection[] = []
    for (const table of tables) {
      await sql.raw(`drop trigger ${table}_insert`).execute(database.migrator)
      const other =
        `create trigger ${table}_insert before insert on ${table} for each row set @one = 1`
      await sql.raw(other).execute(database.migrator)
      const reader = await mysql.createConnection(url)
      t.teardown(() => reader.end())
      await reader.query("begin")
      await reader.query(`select * from ${table} limit 1`)
      readers.push(reader)
    }
    const reports: string[] = []
    const report = (message: string) => {
      reports.push(message)
      void readers[reports.length - 1]?.query("rollback")
    }
    const restored = await migrate(database, { report, pause: 10 })
    t.strictSame(restored, tables.map((table) => `trigger ${table}_insert`))
    const words = reports.map((text) =>
      text.match(/(?<=waits for the table )\w+|[\d.]+(?= seconds)/g)
    )
    t.strictSame(words, [
      ["guest", "0.01"],
      ["ticket", "0.01"],
    ])
  },
)

t.test("migrate replaces a trigger of the same name on another table", {
  skip: withoutMysql,
}, async (t) => {
  const database = await openFor(t, await freshUrl(t, "mysql"))
  await migrate(database)
  await sql`drop trigger guest_insert`.execute(database.migrator)
  await sql`create trigger guest_insert before insert on rate_limit for each row set @one = 1`
    .execute(database.migrator)
  t.equal((await findTriggerFaults(database))[0]?.fault, "different")
  t.strictSame(await migrate(database), ["trigger guest_insert"])
  t.strictSame(await findTriggerFaults(database), [])
})

t.test("migrate replaces a trigger although its user may not lock tables", {
  skip: withoutMysql,
}, async (t) => {
  const url = new URL(await freshUrl(t, "mysql"))
  await migrate(await openFor(t, url.href))
  const name = `poor_${crypto.randomUUID().slice(0, 8)}`
  const root = await mysql.createConnection(url.href)
  t.teardown(async () => {
    await root.query(`drop user ${name}`)
    await root.end()
  })
  await root.query(`create user ${name} identified by 'poor'`)
  const rights = "select, insert, update, delete, create, drop, alter, index, trigger, references"
  await root.query(`grant ${rights} on ${url.pathname.slice(1)}.* to ${name}`)
  await root.query("drop trigger guest_insert")
  await root.query("create trigger guest_insert before insert on guest for each row set @none = 1")
  const own = new URL(url)
  own.username = name
  own.password = "poor"
  const database = await openFor(t, own.href)
  t.strictSame(await migrate(database), ["trigger guest_insert"])
  t.strictSame(await findTriggerFaults(database), [])
})
