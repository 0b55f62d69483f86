import { setTimeout } from "node:timers/promises"
import { sql } from "kysely"
import t, { type Test } from "tap"
import { pruneChangeLog } from "../../../core/change-log/prune.ts"
import { findMissing, findUnusable } from "../../../core/data/check-tables.ts"
import type { Database } from "../../../core/data/database.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { migrationState, recordedMigrations } from "../../../core/data/migration-state.ts"
import { tablesOf } from "../../../core/data/storage.ts"
import { capabilityStorages, storagesWithout } from "../../support/storages.ts"
import { findTriggerFaults, triggersOf } from "../../../core/data/triggers.ts"
import { dropUnusedTables, findUnusedTables } from "../../../core/data/unused-tables.ts"
import { findDatabaseWarnings } from "../../../plugins/capabilities/check/database-warnings.ts"
import { definitionsOf } from "../../releases/schema-differences.ts"
import { findDisclosures } from "../../../plugins/capabilities/disclosures/find-disclosures.ts"
import { addDisclosures } from "../../../plugins/capabilities/disclosures/ledger.ts"
import { Builder, past } from "../../support/builder.ts"
import { freshUrl, onEveryEngine, openFor } from "../../support/database.ts"
import { expand, migrateLater } from "../../support/later-version.ts"

const off = storagesWithout(["disclosures"])
const settings = { url: "", connections: 1, time_limit: 1, own_triggers: false }
const tables = [
  "record_start",
  "field_set",
  "disclosure",
  "erasure_notice",
  "former_recipient",
]

await onEveryEngine(t, async (t, engine) => {
  const url = await freshUrl(t, engine)
  /** Processes with disclosures, and without, on a database on which they were on. */
  const on = await openFor(t, url)
  const without = await openFor(t, url, { storages: off })
  await migrate(on)
  const expected = await definitionsOf(on)
  t.beforeEach(() => migrate(on))

  for (const { name, triggers } of capabilityStorages) {
    if (engine === "mysql" && !triggers) continue
    await t.test(`a new database without ${name} lacks nothing, and gets it when it is turned on`, async (t) => {
      const url = await freshUrl(t, engine)
      const storages = storagesWithout([name])
      const without = await openFor(t, url, { storages })
      await migrate(without)
      t.strictSame(await tableNames(without), Object.keys(tablesOf(storages)).sort())
      await isRight(t, without)
      t.strictSame(await findUnusedTables(without), [])

      const later = await openFor(t, url)
      t.strictSame((await findMissing(later))[0], `migration ${name}-0001`)
      t.ok((await migrate(later)).includes(`${name}-0001`))
      await isRight(t, later)
      t.strictSame(await definitionsOf(later), expected)
      t.strictSame(await recordedMigrations(later.writer), await recordedMigrations(on.writer))
    })
  }

  await t.test("without any capability, records can change and be pruned", {
    skip: engine === "mysql" && "the triggers without disclosures are tested there",
  }, async (t) => {
    const storages = storagesWithout(capabilityStorages.map(({ name }) => name))
    const database = await openFor(t, await freshUrl(t, engine), { storages })
    await migrate(database)
    await isRight(t, database)
    await change(database)
    await database.writer.updateTable("deletion").set({ at: past }).execute()
    await database.writer.updateTable("event_change").set({ at: past }).execute()
    t.ok(await pruneChangeLog(database, 60) > 0)
    t.strictSame(await database.writer.selectFrom("deletion").selectAll().execute(), [])
  })

  await t.test("a storage that is turned off keeps its tables, and no trigger writes to them", async (t) => {
    await change(on)
    t.not((await rowsOf(on, "record_start")).length, 0, "it has been written")
    const before = await stateOf(on)
    t.not((await migrate(without)).length, 0)
    t.strictSame(await stateOf(on), before, "the triggers always logged, so nothing is out of date")
    await isRight(t, without)
    const written = await rowsOf(on, "record_start")
    await change(without)
    t.strictSame(await rowsOf(on, "record_start"), written)
    t.strictSame(await findUnusedTables(without), [{ storage: "disclosures", tables }])
    t.match(await findDatabaseWarnings(without, { database: settings }), [{
      about: "record_start, field_set, disclosure, erasure_notice, former_recipient",
      message: /^left of disclosures, which is off: .* "event-export migrate --drop-unused"$/,
    }])
    t.match(
      (await findDatabaseWarnings(on, { database: settings })).map(({ message }) => message),
      [/ "event-export migrate" replaces them$/],
    )
    t.strictSame(await migrate(without), [])
  })

  await t.test("records that are written while a storage is turned off and on are all logged", async (t) => {
    const build = new Builder(await openFor(t, url), { isAlone: true })
    const event = await build.event(await build.organization("busy"))
    let written = 0
    let isEnding = false
    const writing = (async () => {
      for (; !isEnding; written++) {
        await build.guest(event)
        await setTimeout(1)
      }
    })()
    const report = () => {}
    for (const database of [without, on]) await migrate(database, { report, pause: 10 })
    isEnding = true
    await writing
    const { changes } = await on.writer.selectFrom("event_change")
      .select((eb) => eb.fn.countAll<number>().as("changes")).where("event_id", "=", event)
      .executeTakeFirstOrThrow()
    t.ok(Number(changes) > written, `${changes} of ${written}`)
    const unversioned = await on.writer.selectFrom("guest").select("id")
      .where("export_version", "=", 0).execute()
    t.strictSame(unversioned, [])
  })

  await t.test("what changes a record, refuses it or writes to the kernel's tables is no added statement", async (t) => {
    const [trigger] = triggersOf(on).filter(({ definition }) => definition.includes("record_start"))
    if (!trigger) throw new Error("no trigger has added statements")
    const { name, around: [before, after] } = trigger
    const faultWith = async (added: string) => {
      await sql`drop trigger ${sql.table(name)}`.execute(on.migrator)
      await sql.raw(`create trigger ${name} ${before} ${added} ${after}`).execute(on.migrator)
      return (await findTriggerFaults(on)).map(({ fault }) => fault)
    }
    const harmless = "insert into field_set (id, fields) values ('a', '[]');"
    t.strictSame(await faultWith(harmless), ["added"])
    const harmful = [
      "delete from deletion;",
      "insert into event_change (event_id, at, mark) values (new.event_id, 0, 0);",
      ...engine === "mysql"
        ? [
          "set new.updated = 0;",
          "signal sqlstate '45000';",
          "update field_set, `guest` set id = '';",
        ]
        : ["select raise(abort, 'no');"],
    ]
    for (const statement of harmful) {
      t.strictSame(await faultWith(statement), ["different"], statement)
    }
  })

  await t.test("dropUnusedTables drops the tables of a storage that is off, which can be turned on again", async (t) => {
    await change(on)
    const dropped: string[] = []
    const report = (table: string, rows: number, storage: string) =>
      dropped.push(`${table} ${rows} ${storage}`)
    await t.rejects(dropUnusedTables(without, report), {
      name: "UserError",
      message: /triggers may still write to them. Run "event-export migrate" first/,
    })
    t.strictSame(dropped, [])
    await migrate(without)
    const { length } = await rowsOf(on, "record_start")
    await dropUnusedTables(without, report)
    t.strictSame(dropped, [
      "former_recipient 0 disclosures",
      "erasure_notice 0 disclosures",
      "disclosure 0 disclosures",
      "field_set 0 disclosures",
      `record_start ${length} disclosures`,
    ])
    t.strictSame(await findUnusedTables(without), [])
    const recorded = await recordedMigrations(without.writer)
    t.notOk(recorded.includes("disclosures-0001") || recorded.includes("0015-disclosures"))
    await isRight(t, without)
    await change(without)
    await dropUnusedTables(without, () => t.fail("nothing is left"))
    t.ok((await migrate(on)).includes("disclosures-0001"))
    t.strictSame(await definitionsOf(on), expected)
    t.ok((await recordedMigrations(on.writer)).includes("0015-disclosures"))
    await change(on)
  })

  await t.test("a record that seems to begin before disclosures were on again may have begun at any time", async (t) => {
    const build = new Builder(on, { isAlone: true })
    const event = await build.event(await build.organization("acme"))
    const guest = await build.guest(event, { created: past, updated: past })
    await addDisclosures(on, [{
      ...{ eventId: event, accountId: "acme", prefix: "/p", list: "guests", whole: true },
      ...{ fields: ["Guest.id"], from: past, to: past, at: past + 10, next: past },
    }], { near: 0, known: new Set(), signal: new AbortController().signal })
    const recipients = async () =>
      (await findDisclosures(on, guest)).records.flatMap(({ recipients }) => recipients)
    const gaps = on.writer.selectFrom("record_start").select("time").where("event_id", "=", "")
    await on.writer.deleteFrom("record_start").where("event_id", "=", "").execute()
    await migrate(without)
    await on.writer.updateTable("guest").set({ created: past + 500 }).execute()
    t.strictSame(await recipients(), [], "no trigger has noted when it began")
    await migrate(on)
    t.match(await recipients(), [{ account: "acme", certain: false }])
    await migrate(on)
    const { time } = await gaps.executeTakeFirstOrThrow()
    t.ok(time > past && time <= Date.now() / 1000 + 60, "the gap has an end")
    await on.writer.updateTable("record_start").set({ time: past + 499 }).execute()
    t.strictSame(await recipients(), [])
  })

  await t.test("a later migration of a storage that is off belongs to no later version", {
    skip: engine === "mysql" && "its tables of migrations are the same",
  }, async (t) => {
    const name = "disclosures-9999"
    const added = { name, timestamp: "2026-11-23T00:00:00.000Z" }
    await sql`insert into kysely_migration (name, timestamp)
      values (${added.name}, ${added.timestamp})`.execute(on.writer)
    t.strictSame((await migrationState(without)).later, [])
    t.strictSame((await migrationState(on)).later, [name])
    await migrate(without)
    await isRight(t, without)
    await sql`delete from kysely_migration where name = ${name}`.execute(on.writer)
  })

  await t.test("dropUnusedTables leaves a database of a later version alone", {
    skip: engine === "mysql" && "its tables of migrations are the same",
  }, async (t) => {
    await migrate(without)
    await migrateLater(on, expand)
    await t.rejects(dropUnusedTables(without, () => t.fail("nothing is dropped")), {
      name: "UserError",
      message: /a later version has migrated the database \(9999-later\)/,
    })
    t.strictSame(await findMissing(on), [])
  })

  await t.test("processes with and without a storage may migrate an empty database at once", {
    skip: engine === "sqlite" && "in one process, it would wait for itself",
  }, async (t) => {
    const url = await freshUrl(t, engine)
    const on = await openFor(t, url)
    const without = await openFor(t, url, { storages: off })
    const report = () => {}
    await Promise.all([on, without, on].map((database) => migrate(database, { report, pause: 10 })))
    await migrate(on)
    await isRight(t, on)
  })
})

/** Asserts that a database has all that its storages need, and nothing else to do. */
async function isRight(t: Test, database: Database): Promise<void> {
  t.strictSame(await findMissing(database), [])
  t.strictSame(await findUnusable(database), [])
  t.strictSame(await findTriggerFaults(database), [])
  const { pending, later, missing } = await migrationState(database)
  t.strictSame({ pending, later, missing }, { pending: [], later: [], missing: [] })
}

async function tableNames({ writer }: Database): Promise<string[]> {
  return (await writer.introspection.getTables()).map(({ name }) => name).sort()
}

/** Inserts, changes and deletes records whose `created` is later than their `updated`. */
async function change(database: Database): Promise<void> {
  const { writer } = database
  const build = new Builder(database, { isAlone: true })
  const event = await build.event(await build.organization(`acme-${crypto.randomUUID()}`))
  const created = past + 1_000_000_000
  const [kept, gone] = [
    await build.guest(event, { created }),
    await build.guest(event, { created }),
  ]
  await writer.updateTable("guest").set({ mobile: "1" }).where("id", "in", [kept, gone]).execute()
  await writer.deleteFrom("guest").where("id", "=", gone).execute()
  await build.item("tickets", event)
}

async function rowsOf({ writer }: Database, table: "record_start") {
  return await writer.selectFrom(table).selectAll().orderBy("record_id").execute()
}

/** Returns what changes when pages and records that are cached are out of date. */
async function stateOf({ writer }: Database): Promise<unknown> {
  const { epoch } = await writer.selectFrom("change_state").select("epoch")
    .executeTakeFirstOrThrow()
  const { last } = await writer.selectFrom("event_change")
    .select((eb) => eb.fn.max("seq").as("last")).executeTakeFirstOrThrow()
  return { epoch, last }
}
