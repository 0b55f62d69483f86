import t from "tap"
import { sql } from "kysely"
import { migrate } from "../../core/data/migrate.ts"
import type { Database } from "../../core/data/database.ts"
import { triggersOf } from "../../core/data/triggers.ts"
import { copiedUrl, freshUrl, onEveryEngine, openFor } from "./database.ts"

await onEveryEngine(t, async (t, engine) => {
  await t.test("a copy of the template is what migrate makes, but for its epoch", async (t) => {
    const migrated = await openFor(t, await freshUrl(t, engine))
    await migrate(migrated)
    // The first may be what the template is made of.
    await copiedUrl(t, engine)
    const copies = [
      await openFor(t, await copiedUrl(t, engine)),
      await openFor(t, await copiedUrl(t, engine)),
    ]
    const expected = await describe(migrated)
    t.ok(triggersOf(migrated).every(({ name }) => expected.includes(name)))
    for (const copy of copies) {
      t.strictSame(await migrate(copy), [], "nothing is left to do")
      t.strictSame(await describe(copy), expected)
    }
    const epochs = await Promise.all(
      [migrated, ...copies].map(async ({ writer }) =>
        (await writer.selectFrom("change_state").select("epoch").executeTakeFirstOrThrow()).epoch
      ),
    )
    t.equal(new Set(epochs).size, 3)
  })
})

/** Returns all tables, columns, indexes, triggers and rows, without times and random numbers. */
async function describe({ writer, dialect }: Database): Promise<string> {
  const rows = async (statement: string) => (await sql.raw<object>(statement).execute(writer)).rows
  const tables = await writer.introspection.getTables({ withInternalKyselyTables: true })
  const names = tables.map(({ name }) => name).sort()
  const definitions = dialect.name === "sqlite"
    ? await rows("select * from sqlite_schema order by name")
    : await Promise.all([
      ...names.map((name) => rows(`show create table ${name}`)),
      rows(
        `select trigger_name, event_manipulation, event_object_table, action_order, action_statement, action_timing,
        sql_mode, character_set_client, collation_connection from information_schema.triggers
        where trigger_schema = database() order by trigger_name`,
      ),
    ])
  const contents = await Promise.all(
    names.map(async (name) => [name, await rows(`select * from ${name}`)]),
  )
  return JSON.stringify([definitions, contents], (key, value) => {
    return /^(epoch|timestamp|made|rootpage)$/.test(key) ? undefined : value
  }, 1)
}
