import { sql } from "kysely"
import mysql from "mysql2/promise"
import t, { type Test } from "tap"
import type { Database } from "../../../core/data/database.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { findGapEnd } from "../../../plugins/capabilities/disclosures/record-start.ts"
import { describeFault, findTriggerFaults, triggersOf } from "../../../core/data/triggers.ts"
import { Builder } from "../../support/builder.ts"
import { onEveryEngine, openFor, ownUrl } from "../../support/database.ts"
import { processesOf } from "../../support/mysql/processes.ts"

await onEveryEngine(t, async (t, engine) => {
  const url = await ownUrl(t, engine)
  const statements: string[] = []
  const database = await openFor(t, url, {
    onStatement: (text) => statements.push(text.replaceAll(/\s+/g, " ").slice(0, 80)),
  })
  const { migrator, writer } = database

  await t.test("migrate replaces a trigger, and there is always one", async (t) => {
    const trigger = triggersOf(database).find(({ table }) => table === "guest")
    const { name = "", definition = "" } = trigger ?? {}
    await sql`drop trigger ${sql.table(name)}`.execute(migrator)
    const other = definition.replace(/\bbegin\b/, "begin /* another one */")
    await sql.raw(`create trigger ${name} ${other}`).execute(migrator)
    t.equal((await findTriggerFaults(database))[0]?.fault, "different")
    statements.length = 0
    await migrate(database)
    const at = statements.findIndex((text) => text.startsWith("drop trigger"))
    const [before, , after] = statements.slice(at - 1, at + 2)
    t.match(after, /^create trigger/)
    if (engine === "mysql") t.match(before, `create trigger if not exists ${name}_stand_in_`)
    else t.strictSame([before, statements[at + 2]], ["begin", "commit"])
    t.equal(
      statements.filter((text) => text.includes("drop trigger")).length,
      engine === "mysql" ? 2 : 1,
    )
    t.strictSame(await findTriggerFaults(database), [])
  })

  await t.test("a trigger that names another record, or does more, is different", async (t) => {
    const trigger = triggersOf(database).find(({ name }) => /^guest_(after_)?insert$/.test(name))
    const { name = "", definition = "" } = trigger ?? {}
    const faultsOf = async (text: string) => {
      await sql`drop trigger ${sql.table(name)}`.execute(migrator)
      await sql.raw(`create trigger ${name} ${text}`).execute(migrator)
      return (await findTriggerFaults(database)).map(({ fault }) => fault)
    }
    const added = "insert into field_set (id, fields) values ('a', '[]');"
    const others = [
      definition.replace("insert into event_change", `${added} $&`),
      definition.replace("new.id, 0)", "new.event_id, 0)"),
      definition.replace("new.id, 0)", "new.id, 1)"),
    ]
    for (const other of others) t.strictSame(await faultsOf(other), ["different"], other)
    t.strictSame(await faultsOf(definition.replaceAll(/\s+/g, "\n")), [])
  })

  await t.test("records that changed while a trigger was missing may have begun at any time before", async (t) => {
    const [trigger] = triggersOf(database).filter(({ table }) => table === "guest")
    t.equal(await findGapEnd(writer), -Infinity)
    await sql`drop trigger ${sql.table(trigger?.name ?? "")}`.execute(migrator)
    await migrate(database)
    const end = await findGapEnd(writer)
    t.ok(Math.abs(end - Date.now() / 1000) < 60, `the gap ended at ${end}`)
    await migrate(database)
    t.equal(await findGapEnd(writer), end)
  })

  const state = async () => {
    const { rows: [row] } = await sql<{ epoch: number; changes: number; events: number }>`
      select epoch, (select count(*) from event_change) as changes,
        (select count(*) from event) as events from change_state`.execute(writer)
    if (!row) throw new Error("there is no state")
    return { ...row }
  }

  await t.test("a trigger that is lost or different is found, and migrate restores it", async (t) => {
    const [one, other] = triggersOf(database).filter(({ table }) => table === "pledge")
    if (!one || !other) throw new TypeError("pledge has triggers")
    await sql`drop trigger ${sql.table(one.name)}`.execute(migrator)
    await sql`drop trigger ${sql.table(other.name)}`.execute(migrator)
    const extra = engine === "mysql" ? "set @one = 1;" : "select 1;"
    const text = `create trigger ${other.name} ${other.definition.replace(/end$/, `${extra} end`)}`
    await sql.raw(text).execute(migrator)
    const faults = await findTriggerFaults(database)
    t.strictSame(faults.map(describeFault), [
      `${one.name} on pledge`,
      `${other.name} on pledge (it is not the same)`,
    ])
    const before = await state()
    t.strictSame(await migrate(database), [`trigger ${one.name}`, `trigger ${other.name}`])
    t.strictSame(await findTriggerFaults(database), [])
    const after = await state()
    t.not(after.epoch, before.epoch, "what was missed changes all versions")
    t.equal(after.changes, before.changes + before.events, "and every event has a change")
    t.strictSame(await migrate(database), [])
    t.strictSame(await state(), after)
  })

  if (engine === "mysql") await testLocks(t, database, url)
})

/** Tests what others notice while `migrate` replaces triggers of MySQL, and what it waits for. */
async function testLocks(t: Test, database: Database, url: string): Promise<void> {
  const { migrator } = database
  const connect = async (t: Test) => {
    const connection = await mysql.createConnection(url)
    t.teardown(() => connection.end())
    return connection
  }
  /** Puts another trigger in the place of one. */
  const replace = async (name: string, body: string) => {
    await sql`drop trigger ${sql.table(name)}`.execute(migrator)
    await sql.raw(`create trigger ${name} ${body} for each row set @one = 1`).execute(migrator)
  }

  await t.test("migrate names the table whose trigger it waits to replace, and waits briefly for the next one", async (t) => {
    const tables = ["guest", "ticket"]
    const readers: mysql.Connection[] = []
    for (const table of tables) {
      await replace(`${table}_insert`, `before insert on ${table}`)
      const reader = await connect(t)
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
    t.strictSame(words, tables.map((table) => [table, "0.01"]))
  })

  await t.test("migrate replaces a trigger of the same name on another table", async (t) => {
    await replace("guest_insert", "before insert on rate_limit")
    t.equal((await findTriggerFaults(database))[0]?.fault, "different")
    t.strictSame(await migrate(database), ["trigger guest_insert"])
    t.strictSame(await findTriggerFaults(database), [])
  })

  await t.test("migrate ends no transaction of others while it replaces a trigger", async (t) => {
    const build = new Builder(database, { isAlone: true })
    const event = await build.event(await build.organization("calm"))
    await build.guests(event, 1)
    await build.items("tickets", event, 1)
    await replace("guest_update", "before update on guest")
    const [writer, reader] = [await connect(t), await connect(t)]
    for (const other of [writer, reader]) await other.query("start transaction")
    await writer.query("update ticket set name = 'one'")
    await reader.query("select seq from event_change")
    let isDone = false
    const migrating = migrate(await openFor(t, url)).finally(() => isDone = true)
    while (!isDone && !await isAnyoneWaiting(database, url));
    await writer.query("update guest set first_name = 'One'")
    await reader.query("select first_name from guest")
    for (const other of [writer, reader]) await other.query("commit")
    t.strictSame(await migrating, ["trigger guest_update"])
    t.strictSame(await findTriggerFaults(database), [])
  })

  await t.test("migrate removes what an interrupted one has left beside a trigger, once it is old", async (t) => {
    const leave = sql`create trigger guest_insert_stand_in_0
      before insert on guest for each row set @one = 1`
    const standIns = async () => {
      const { rows } = await sql<{ name: string }>`
        select trigger_name as name from information_schema.triggers
        where trigger_schema = database() and trigger_name like '%stand_in%'`.execute(migrator)
      return rows.map(({ name }) => name)
    }
    await leave.execute(migrator)
    await migrate(database)
    t.strictSame(await standIns(), ["guest_insert_stand_in_0"], "it may be of one that runs")
    await sql`drop trigger guest_insert_stand_in_0`.execute(migrator)
    await sql`set timestamp = unix_timestamp() - 600`.execute(migrator)
    await leave.execute(migrator)
    await sql`set timestamp = default`.execute(migrator)
    await migrate(database)
    t.strictSame(await standIns(), [])
  })
}

/** Returns true if a connection waits for a table. */
async function isAnyoneWaiting({ writer }: Database, url: string): Promise<boolean> {
  return (await processesOf(writer, url)).some(({ state }) => state.includes("metadata lock"))
}
