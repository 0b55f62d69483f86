import { sql } from "kysely"
import t, { type Test } from "tap"
import { pruneChangeLog } from "../../../core/change-log/prune.ts"
import { findMissing } from "../../../core/data/check-tables.ts"
import type { Database } from "../../../core/data/database.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { migrationState, recordedMigrations } from "../../../core/data/migration-state.ts"
import { tablesOf } from "../../../core/data/storage.ts"
import { capabilityStorages, storagesWithout } from "../../support/storages.ts"
import { findTriggerFaults } from "../../../core/data/triggers.ts"
import { dropUnusedTables, findUnusedTables } from "../../../core/data/unused-tables.ts"
import { findDatabaseWarnings } from "../../../plugins/capabilities/check/database-warnings.ts"
import { definitionsOf } from "../../releases/schema-differences.ts"
import { Builder, past } from "../../support/builder.ts"
import { settleAll } from "../../support/settle.ts"
import { freshUrl, onEveryEngine, openFor } from "../../support/database.ts"
import { expand, migrateLater } from "../../support/later-version.ts"

const all = storagesWithout([])
const off = storagesWithout(["disclosures"])
const tables = ["field_set", "disclosure", "erasure_notice", "former_recipient"]

await onEveryEngine(t, async (t, engine) => {
  const url = await freshUrl(t, engine)
  /** Processes with disclosures, and without, on a database on which they were on. */
  const on = await openFor(t, url, { storages: all })
  const without = await openFor(t, url, { storages: off })
  await migrate(on)
  const expected = await definitionsOf(on)
  t.beforeEach(() => migrate(on))

  for (const { name } of capabilityStorages) {
    if (engine === "mysql" && name !== "disclosures") continue
    await t.test(`a new database without ${name} lacks nothing, and gets it when it is turned on`, async (t) => {
      const url = await freshUrl(t, engine)
      const storages = storagesWithout([name])
      const without = await openFor(t, url, { storages })
      await migrate(without)
      t.strictSame(await tableNames(without), Object.keys(tablesOf(storages)).sort())
      await isRight(t, without)
      t.strictSame(await findUnusedTables(without), [])

      const later = await openFor(t, url, { storages: all })
      t.strictSame((await findMissing(later))[0], `migration ${name}-2000`)
      t.ok((await migrate(later)).includes(`${name}-2000`))
      await isRight(t, later)
      t.strictSame(await definitionsOf(later), expected)
      t.strictSame(await recordedMigrations(later.writer), await recordedMigrations(on.writer))
    })
  }

  await t.test("without any capability, records can change and be pruned", {
    skip: engine === "mysql" && "the triggers are the same",
  }, async (t) => {
    const storages = storagesWithout(capabilityStorages.map(({ name }) => name))
    const database = await openFor(t, await freshUrl(t, engine), { storages })
    await migrate(database)
    await isRight(t, database)
    await change(database)
    await database.writer.updateTable("deletion").set({ at: past }).execute()
    await database.writer.updateTable("event_change").set({ at: past }).execute()
    await settleAll(database)
    t.ok(await pruneChangeLog(database, 60) > 0)
    t.strictSame(await database.writer.selectFrom("deletion").selectAll().execute(), [])
  })

  await t.test("a storage that is turned off keeps its tables", async (t) => {
    t.strictSame(await migrate(without), [])
    await isRight(t, without)
    t.strictSame(await findUnusedTables(without), [{ storage: "disclosures", tables }])
    t.match(await findDatabaseWarnings(without), [{
      about: "field_set, disclosure, erasure_notice, former_recipient",
      message: /^left of disclosures, which is off: .* "event-export migrate --drop-unused"$/,
    }])
    t.strictSame(await findDatabaseWarnings(on), [])
  })

  await t.test("dropUnusedTables drops the tables of a storage that is off, which can be turned on again", async (t) => {
    await change(on)
    const dropped: string[] = []
    const report = (table: string, rows: number, storage: string) =>
      dropped.push(`${table} ${rows} ${storage}`)
    await dropUnusedTables(without, report)
    t.strictSame(dropped, [
      "former_recipient 0 disclosures",
      "erasure_notice 0 disclosures",
      "disclosure 0 disclosures",
      "field_set 0 disclosures",
    ])
    t.strictSame(await findUnusedTables(without), [])
    const recorded = await recordedMigrations(without.writer)
    t.notOk(recorded.includes("disclosures-2000"))
    await isRight(t, without)
    await change(without)
    await dropUnusedTables(without, () => t.fail("nothing is left"))
    t.ok((await migrate(on)).includes("disclosures-2000"))
    t.strictSame(await definitionsOf(on), expected)
    await change(on)
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
    const on = await openFor(t, url, { storages: all })
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
  t.strictSame(await findTriggerFaults(database), [])
  const { pending, later, isTooOld } = await migrationState(database)
  t.strictSame({ pending, later, isTooOld }, { pending: [], later: [], isTooOld: false })
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
