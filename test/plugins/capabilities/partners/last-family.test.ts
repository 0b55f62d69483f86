import { type Compilable, sql } from "kysely"
import t from "tap"
import { findLastFamily } from "../../../../plugins/capabilities/partners/last-family.ts"
import { Builder } from "../../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../../support/database.ts"
import { emptyRow } from "../../../support/sync-rows.ts"

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const { writer } = database
  const build = new Builder(database)
  const [ann, bob, eve] = await Promise.all(
    ["ann", "bob", "eve"].map((name) => build.account(name)),
  )
  const row = (account_id = "", event: number, prefix: string, last_poll: number | null) =>
    emptyRow({ account_id, event_id: `event-${event}`, prefix, last_poll })
  const others = Array.from({ length: 2000 }, (_, n) => row(bob, n, "/b/v1", 5000 + n))
  for (let first = 0; first < others.length; first += 500) {
    await writer.insertInto("sync_state").values(others.slice(first, first + 500)).execute()
  }
  await writer.insertInto("sync_state").values([
    row(ann, 1, "/a/v1", 100),
    row(ann, 1, "/c/v1", 300),
    row(ann, 2, "/b/v1", 200),
    row(ann, 3, "/d/v1", null),
    row(eve, 1, "/a/v1", null),
  ]).execute()
  const find = (id = "") => database.snapshot((snapshot) => findLastFamily(snapshot, id))

  await t.test("findLastFamily returns the family of the account's last poll", async (t) => {
    t.equal(await find(ann), "/c/v1")
    t.equal(await find(bob), "/b/v1")
    t.equal(await find(eve), undefined, "errors are no polls")
    t.equal(await find("nobody"), undefined)
  })

  await t.test("findLastFamily reads no other account's rows", async (t) => {
    if (engine === "mysql") await sql`analyze table sync_state`.execute(writer)
    const plans: string[] = []
    await database.snapshot(async ({ db, run }) => {
      await findLastFamily({
        db,
        run: async (query) => {
          const compiled = (query as unknown as Compilable).compile()
          const explain = engine === "mysql" ? "explain format=tree " : "explain query plan "
          const { rows } = await writer.executeQuery<Record<string, unknown>>({
            ...compiled,
            sql: explain + compiled.sql,
          })
          plans.push(JSON.stringify(rows))
          return await run(query)
        },
      }, ann ?? "")
    })
    t.equal(plans.length, 1)
    t.match(
      plans[0],
      engine === "mysql"
        ? /Index lookup on sync_state using \w+ \(account_id ?= ?'/
        : /SEARCH sync_state USING .*INDEX \w+ \(account_id=\?\)/,
    )
  })
})
