import { sql } from "kysely"
import t from "tap"
import { findMissing } from "../../../../core/data/check-tables.ts"
import { migrate } from "../../../../core/data/migrate.ts"
import { kernelBaseline } from "../../../../core/data/migration-state.ts"
import { findTriggerFaults } from "../../../../core/data/triggers.ts"
import { recordTypes } from "../../../../core/records/kinds/categories.ts"
import { tablesOf } from "../../../../core/data/storage.ts"
import { allStorages } from "../../../support/storages.ts"
import { startInstance } from "../../../conformance/instance.ts"
import { findTrouble } from "../../../../plugins/capabilities/check/trouble.ts"
import { testConfig } from "../../../support/app.ts"
import { onEveryEngine, openFor, ownUrl } from "../../../support/database.ts"
import { scannedLog } from "../../../support/scanned-log.ts"

const tables = tablesOf(allStorages)

/** Columns that the database computes: nobody writes them. */
const computed = ["sync_state.watched", "sync_state.acknowledged_hour"]

await onEveryEngine(t, async (t, engine) => {
  const url = await ownUrl(t, engine)
  const database = await openFor(t, url)

  await t.test("the tables of the migrations have all required columns", async (t) => {
    t.strictSame(await findMissing(database), [])
  })

  await t.test("the declarations have every column of the migrations", async (t) => {
    const found = await database.writer.introspection.getTables()
    t.strictSame(
      found.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`))
        .filter((name) => !computed.includes(name)).sort(),
      Object.entries(tables).flatMap(([name, { columns }]) =>
        Object.keys(columns).map((column) => `${name}.${column}`)
      ).sort(),
    )
  })

  await t.test("a column is nullable exactly if its field is", async (t) => {
    const metadata = await database.writer.introspection.getTables()
    for (const { table: name, fields } of recordTypes.values()) {
      const table = metadata.find((each) => each.name === name)
      for (const { relation, column, isNullable } of Object.values(fields)) {
        if (relation !== "record" || !table) continue
        const found = table.columns.find((each) => each.name === column)
        t.equal(found?.isNullable, isNullable, `${name}.${column}`)
      }
    }
  })

  await t.test("a view in the place of a table is refused by the start, check and migrate", async (t) => {
    const { writer } = database
    await writer.schema.alterTable("ticket").renameTo("own_ticket").execute()
    await sql`create view ticket as select * from own_ticket`.execute(writer)
    const why =
      "in the database, ticket are views, and only tables of the service can be served: drop the views, " +
      'run "event-export migrate", and let "connect" fill the tables'
    await t.rejects(migrate(database), { message: `Nothing was migrated: ${why}.` })
    const plan = await testConfig(url)
    await t.rejects(startInstance(plan, { log: scannedLog(t, []) }), {
      message: `Nothing was started: ${why}.`,
    })
    t.strictSame((await findTrouble(plan)).errors, [why])

    // Version 1.3 has noted no baseline of version 2.
    await sql`drop view ticket`.execute(writer)
    await sql`drop table own_ticket`.execute(writer)
    await sql`delete from kysely_migration where name = ${kernelBaseline}`.execute(writer)
    t.strictSame(await migrate(database), [kernelBaseline])
    t.strictSame(await findMissing(database), [])
    t.strictSame(await findTriggerFaults(database), [])
  })
})
