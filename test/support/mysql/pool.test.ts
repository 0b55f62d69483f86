import t from "tap"
import { sql } from "kysely"
import { migrate } from "../../../core/data/migrate.ts"
import type { Database } from "../../../core/data/database.ts"
import { triggersOf } from "../../../core/data/triggers.ts"
import { Builder } from "../builder.ts"
import { type Engine, freshUrl, openFor, ownUrl, withoutMysql } from "../database.ts"
import { giveBackMysql, takeMysql } from "./pool.ts"

const engines = [
  ["sqlite", "a copy of the template", (t) => ownUrl(t, "sqlite")],
  ["mysql", "a database that another test has used", async (t) => {
    const url = await takeMysql()
    await t.test("it is used and given back", async (t) => {
      const used = await openFor(t, url)
      const build = new Builder(used)
      const event = await build.event(await build.organization("acme"))
      await build.consent(event, await build.guest(event))
      await build.account("acme-export", "service")
      await used.writer.deleteFrom("guest").execute()
    })
    await giveBackMysql(url)
    const again = await takeMysql()
    t.teardown(() => giveBackMysql(again))
    return again
  }],
] as const satisfies readonly (readonly [Engine, string, (t: TapTest) => Promise<string>])[]

type TapTest = Parameters<typeof openFor>[0]

for (const [engine, what, take] of engines) {
  t.test(`${what} is what migrate makes, but for its epoch`, {
    skip: engine === "mysql" && withoutMysql,
  }, async (t) => {
    const migrated = await openFor(t, await freshUrl(t, engine))
    await migrate(migrated)
    const taken = await openFor(t, await take(t))
    const expected = await describe(migrated)
    t.ok(triggersOf(migrated).every(({ name }) => expected.includes(name)))
    t.strictSame(await migrate(taken), [], "nothing is left to do")
    t.strictSame(await describe(taken), expected)
    t.not(await epochOf(taken), await epochOf(migrated))
  })
}

t.test("a database whose triggers a test has changed is not used again", {
  skip: withoutMysql,
}, async (t) => {
  const url = await takeMysql()
  await t.test("it loses a trigger", async (t) => {
    const database = await openFor(t, url)
    await sql.raw(`drop trigger ${triggersOf(database)[0]?.name}`).execute(database.writer)
  })
  await giveBackMysql(url)
  const next = await takeMysql()
  t.not(next, url)
  await giveBackMysql(next)
})

async function epochOf({ writer }: Database): Promise<number> {
  const state = await writer.selectFrom("change_state").select("epoch").executeTakeFirstOrThrow()
  return Number(state.epoch)
}

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
    if (key === "Create Table") return String(value).replace(/ AUTO_INCREMENT=\d+/, "")
    return /^(epoch|timestamp|made|rootpage)$/.test(key) ? undefined : value
  }, 1)
}
