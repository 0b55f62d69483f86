import { setTimeout } from "node:timers/promises"
import t, { type Test } from "tap"
import { migrate } from "../../../../core/data/migrate.ts"
import { hasLoggedTables } from "../../../../core/records/tables.ts"
import { startInstance } from "../../../../core/kernel/instance.ts"
import { generous, testConfig } from "../../../support/app.ts"
import { Builder } from "../../../support/builder.ts"
import { type Engine, freshUrl, onEveryEngine, openFor } from "../../../support/database.ts"
import { logInto } from "../../../support/service.ts"

await onEveryEngine(t, async (t, engine) => {
  await t.test("requests for the same page at the same time are read once", async (t) => {
    const { get, guests, snapshots } = await serve(t, engine, 64)
    const bodies = await Promise.all(
      Array.from({ length: 20 }, async () => await (await get(guests)).json()),
    )
    for (const body of bodies) t.equal(body.length, 3)
    t.ok(snapshots() < 20, `${snapshots()} snapshots`)
  })

  await t.test("what one caller was sent is never sent to one who may not read it", async (t) => {
    const { get, guests, build, instance } = await serve(t, engine, 64)
    t.equal((await get(guests)).status, 200)
    t.equal((await get(guests)).status, 200)
    await build.account("eve")
    const strange = await logInto(instance.fetch, "eve")
    t.equal((await strange(guests)).status, 404)
  })

  await t.test("families keep their pages apart", async (t) => {
    const { get, event, build, instance } = await serve(t, engine, 64)
    await build.account("acme-export", "service")
    await build.grant("acme-export", { organization: "acme" })
    const service = await logInto(instance.fetch, "acme-export")
    for (const _ of [1, 2]) {
      const [lean] = await (await get(`/connector-b/v1/events/${event}/guests?since=-1`)).json()
      const [full] = await (await service(`/acme/v1/events/${event}/guests?since=-1`)).json()
      t.strictSame(["externalId" in lean, "externalId" in full], [false, true])
    }
  })

  await t.test("polls that find nothing new keep the count of changes short, too", async (t) => {
    const { build, event, get, statements } = await serve(t, engine, 64)
    await build.guests(event, 200)
    const poll = `/connector-b/v1/events/${event}/guests?since=${
      Math.floor(Date.now() / 1000) + 60
    }`
    t.strictSame(await (await get(poll)).json(), [])
    while (!statements.some((sql) => /max\(.seq.\)/.test(sql))) await setTimeout(10)
    t.pass("a later base is sought")
  })

  await t.test("cache.pages 0 keeps nothing", async (t) => {
    const { get, guests, snapshots } = await serve(t, engine, 0)
    for (const _ of [1, 2, 3]) t.equal((await (await get(guests)).json()).length, 3)
    t.equal(snapshots(), 3)
  })
})

async function serve(t: Test, engine: Engine, megabytes: number) {
  const url = await freshUrl(t, engine)
  const database = await openFor(t, url)
  await migrate(database)
  t.equal(await hasLoggedTables(database), true)
  const build = new Builder(database)
  const event = await build.event(await build.organization("acme"))
  await build.guests(event, 3)
  await build.account("ann")
  await build.grant("ann", { organization: "acme" })
  const config = await testConfig(url)
  const statements: string[] = []
  const instance = await startInstance(
    { ...config, limits: generous, cache: { pages: megabytes } },
    {
      log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
      onStatement: (sql) => statements.push(sql),
    },
  )
  t.teardown(() => instance.close())
  const get = await logInto(instance.fetch, "ann")
  statements.length = 0
  const guests = `/connector-b/v1/events/${event}/guests?since=-1`
  const snapshots = () => statements.filter((sql) => sql === "begin").length
  return { build, event, get, guests, instance, statements, snapshots }
}
