import { setTimeout } from "node:timers/promises"
import { sql } from "kysely"
import t, { type Test } from "tap"
import { migrate } from "../../../core/data/migrate.ts"
import { Builder } from "../../support/builder.ts"
import { type Engine, freshUrl, onEveryEngine, openFor } from "../../support/database.ts"
import { MemoryStore } from "../../support/pull/memory.ts"
import { openStage, openStageOn, type Stage } from "../../support/pull/stage.ts"
import { readTables } from "../../support/pull/tables.ts"
import { runCommand } from "../../support/run-command.ts"
import { logInto } from "../../support/service.ts"

await onEveryEngine(t, async (t, engine) => {
  const before = await openStage(t, engine)
  const build = new Builder(before.database)
  const organization = await build.organization("acme")
  const event = await build.event(organization)
  const empty = await build.event(organization)
  const [changed = "", deleted = ""] = await build.guests(event, 20)
  for (const category of ["tickets", "pledges"] as const) await build.items(category, event, 3)
  await build.account("acme-export", "service")
  await build.grant("acme-export", { organization: "acme" })

  const store = new MemoryStore()
  t.equal(await store.run({ base: before.base }), 0)
  const url = await backUp(t, before, engine)

  // What the backup does not have.
  const { writer } = before.database
  await writer.updateTable("guest").set({ first_name: "Lost" }).where("id", "=", changed).execute()
  await writer.deleteFrom("guest").where("id", "=", deleted).execute()
  const updated = Math.floor(Date.now() / 1000)
  await build.guest(event, { updated })
  await build.guest(empty, { updated })
  t.equal(await store.run({ base: before.base }), 0)
  for (const id of [event, empty]) {
    t.strictSame(store.wrong(id, await readTables(before.database, id)), [])
  }

  await migrate(await openFor(t, url))
  const after = await openStageOn(t, url)
  // The service keeps its address in reality.
  if (store.state) store.state.source = store.state.source.replace(before.base, after.base)
  const wrong = async () => {
    const tables = [event, empty].map((id) => readTables(after.database, id))
    const [one = {}, other = {}] = await Promise.all(tables)
    return [...store.wrong(event, one as never), ...store.wrong(empty, other as never)]
  }
  const run = (args: string) => runCommand(`--config ${after.file} ${args}`)
  const since = Math.floor(Date.now() / 1000) - 3

  const get = await logInto((request) => {
    const { pathname, search } = new URL(request.url)
    return fetch(new Request(`${after.base}${pathname}${search}`, request))
  }, "acme-export")
  const guests = `/acme/v1/events/${event}/guests`
  const deletions = `${guests}/deletions?since=${since}`

  await t.test("after a restore, polls do not return what was taken back", async (t) => {
    t.equal(await store.run({ base: after.base }), 0)
    t.equal((await wrong()).length, 4)
    for (let times = 0; times < 3; times++) t.equal((await get(deletions)).status, 200)
  })

  await t.test("after resync, every poll from before returns all records, and 410 for deletions", async (t) => {
    t.match(await run("resync"), {
      code: 0,
      out: /^Partners who polled before 20\S+Z read everything again/,
    })
    t.equal((await get(deletions)).status, 410, "at once: no page of before counts")
    let count = 0
    while (count < 20) {
      count = (await (await get(`${guests}?since=${since}`)).json()).length
      await setTimeout(20)
    }
    t.equal(count, 20)
    t.match(await (await get(deletions)).json(), { code: "resync_required" })
    t.equal((await get(`${guests}/deletions`)).status, 200, "whoever sends none has read nothing")
    t.match((await run("audit --action resync")).out, / resync +/)
  })

  await t.test("after resync, the client has an equal copy", async (t) => {
    t.equal(await store.run({ base: after.base }), 0)
    t.strictSame(await wrong(), [])
    // It reads everything again until nothing counts as from before any more.
    do {
      await setTimeout(500)
      t.equal(await store.run({ base: after.base }), 0)
      t.strictSame(await wrong(), [])
    } while (store.requests > 6)
  })
})

/** Copies the database as it is to another place: without triggers on MySQL. Returns the URL of the copy. */
async function backUp(t: Test, { database: { writer } }: Stage, engine: Engine): Promise<string> {
  const url = await freshUrl(t, engine)
  if (engine === "sqlite") {
    await sql`vacuum into ${sql.lit(url.slice("sqlite:".length))}`.execute(writer)
    return url
  }
  const schema = new URL(url).pathname.slice(1)
  const { rows } = await sql<{ table: string; columns: string }>`
    select table_name as \`table\`, group_concat(column_name) as columns
    from information_schema.columns
    where table_schema = database() and generation_expression = ''
    group by table_name`.execute(writer)
  for (const { table, columns } of rows) {
    const copy = sql.id(schema, table)
    const copied = sql.join(columns.split(",").map((column) => sql.ref(column)))
    await sql`create table ${copy} like ${sql.table(table)}`.execute(writer)
    await sql`insert into ${copy} (${copied}) select ${copied} from ${sql.table(table)}`
      .execute(writer)
  }
  return url
}
