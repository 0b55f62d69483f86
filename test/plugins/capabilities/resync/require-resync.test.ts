import { setTimeout } from "node:timers/promises"
import t from "tap"
import { requireResync } from "../../../../plugins/capabilities/resync/require-resync.ts"
import { migrate } from "../../../../core/data/migrate.ts"
import { startInstance } from "../../../../core/kernel/instance.ts"
import { generous, testConfig } from "../../../support/app.ts"
import { Builder } from "../../../support/builder.ts"
import { copiedUrl, freshDatabase, onEveryEngine, openFor } from "../../../support/database.ts"
import { scannedLog } from "../../../support/scanned-log.ts"
import { logInto } from "../../../support/service.ts"

await onEveryEngine(t, async (t, engine) => {
  const url = await copiedUrl(t, engine)
  const database = await openFor(t, url)
  await migrate(database)
  const build = new Builder(database)
  const organization = await build.organization("acme")
  const event = await build.event(organization)
  await build.guests(event, 3)
  await build.account("acme-export", "service")
  await build.grant("acme-export", { organization: "acme" })
  const config = await testConfig(url)
  const lag = 2
  const instance = await startInstance(
    { ...config, limits: generous, polling: { ...config.polling, lag } },
    { log: scannedLog(t, []), changes: { every: 2500 } },
  )
  t.teardown(() => instance.close())
  const get = await logInto(instance.fetch, "acme-export")

  await t.test("resync counts with the lag where open changes cannot be seen", async (t) => {
    const { migrator, dialect } = await freshDatabase(t, engine)
    const reached = await migrator.transaction().execute((db) => requireResync({ db, dialect }, 30))
    const { complete_since: completeSince } = await migrator.selectFrom("change_state")
      .select("complete_since").executeTakeFirstOrThrow()
    const now = Math.floor(Date.now() / 1000)
    t.ok(completeSince <= now - 29, "whoever polls now gets no 410 the next time")
    t.ok(reached > completeSince, "services learn of it a moment later")
  })

  await t.test("whoever polls an instance that does not know of resync yet reads everything again later", async (t) => {
    const { migrator, dialect } = database
    await setTimeout(lag * 1000 + 1000)
    const guests = `/acme/v1/events/${event}/guests`
    let since = Number((await get(guests)).headers.get("next-since"))
    const reached = await migrator.transaction().execute((db) =>
      requireResync({ db, dialect }, engine === "sqlite" ? lag : undefined)
    )
    let [polls, rows, total] = [0, 0, 0]
    while (since <= reached || rows > 0) {
      const response = await get(`${guests}?since=${since}`)
      rows = response.status === 200 ? (await response.json()).length : 0
      total += rows
      polls++
      since = Number(response.headers.get("next-since"))
      await setTimeout(100)
    }
    t.ok(polls > 1, "some polls are from before the look")
    t.ok(total > 0, `${polls} polls`)
  })
})
