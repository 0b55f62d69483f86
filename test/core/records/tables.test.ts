import { sql } from "kysely"
import t from "tap"
import { findMissing, findUnusable } from "../../../core/data/check-tables.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { recordTypes } from "../../../core/records/categories.ts"
import { tablesOf } from "../../../core/data/storage.ts"
import { allStorages } from "../../support/storages.ts"
import { findUnloggedViews } from "../../../core/records/tables.ts"
import { freshUrl, onEveryEngine, openFor } from "../../support/database.ts"

const tables = tablesOf(allStorages)

/** Columns that the database computes: nobody writes them. */
const computed = ["sync_state.watched", "sync_state.acknowledged_hour"]

await onEveryEngine(t, async (t, engine) => {
  const database = await openFor(t, await freshUrl(t, engine))
  await migrate(database)

  await t.test("the tables of the migrations have all required columns, with the right types", async (t) => {
    t.strictSame(await findMissing(database), [])
    t.strictSame(await findUnusable(database), [])
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

  await t.test("a view in the place of any table that records are read from is found", async (t) => {
    const { writer } = database
    const settings = { url: "", connections: 1, time_limit: 1 }
    const find = (own_triggers = false) =>
      findUnloggedViews(database, { database: { ...settings, own_triggers } })
    t.strictSame(await find(), [])
    for (const table of ["address", "consent", "ticket"] as const) {
      await writer.schema.alterTable(table).renameTo(`own_${table}`).execute()
      await writer.schema.createView(table)
        .as(writer.selectFrom(sql`${sql.table(`own_${table}`)}`.as("own")).selectAll()).execute()
      t.ok((await find()).includes(table), table)
    }
    t.strictSame(await find(true), [], "the operator's own triggers log the changes")
  })
})
