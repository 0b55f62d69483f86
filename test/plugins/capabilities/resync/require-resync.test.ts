import { setTimeout } from "node:timers/promises"
import t from "tap"
import { clockMargin } from "../../../../core/change-log/clock-steps.ts"
import { findWatermark } from "../../../../core/change-log/watermark.ts"
import { requireResync } from "../../../../plugins/capabilities/resync/require-resync.ts"
import { startInstance } from "../../../conformance/instance.ts"
import { generous, testConfig } from "../../../support/app.ts"
import { Builder } from "../../../support/builder.ts"
import {
  copiedUrl,
  freshUrl,
  onEveryEngine,
  openFor,
  withoutMysql,
} from "../../../support/database.ts"
import { openClocked } from "../../../support/polling/clocked.ts"
import { scannedLog } from "../../../support/scanned-log.ts"
import { logInto } from "../../../support/service.ts"

await onEveryEngine(t, async (t, engine) => {
  const url = await copiedUrl(t, engine)
  const database = await openFor(t, url)
  const build = new Builder(database)
  const organization = await build.organization("acme")
  const event = await build.event(organization)
  await build.guests(event, 3)
  await build.account("acme-export", "service")
  await build.grant("acme-export", { organization: "acme" })
  const config = await testConfig(url)
  const instance = await startInstance(
    { ...config, limits: generous },
    { log: scannedLog(t, []), changes: { every: 2500 } },
  )
  t.teardown(() => instance.close())
  const get = await logInto(instance.fetch, "acme-export")

  await t.test("whoever polls an instance that does not know of resync yet reads everything again later", async (t) => {
    const { migrator, dialect } = database
    await setTimeout(1000 * clockMargin + 1000)
    const guests = `/acme/v1/events/${event}/guests`
    let since = Number((await get(guests)).headers.get("next-since"))
    const reached = await migrator.transaction().execute((db) => requireResync({ db, dialect }))
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

await t.test("whoever polls while resync runs gets no Next-Since from after it", {
  skip: withoutMysql,
}, async (t) => {
  const url = await freshUrl(t, "mysql")
  const world = await openClocked("mysql", url)
  t.teardown(() => world.close())
  const { clock, database } = world
  const build = new Builder(database)
  await build.event(await build.organization("acme"))
  const before = await findWatermark(database)
  const { promise: hasRead, resolve: onRead } = Promise.withResolvers<void>()
  const { promise: released, resolve: goOn } = Promise.withResolvers<void>()
  const paused = database.writer.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (result.rows[0]?.["now"] === undefined) return result
      onRead()
      await released
      return result
    },
  })
  const { dialect } = database
  const resync = paused.transaction().execute((db) => requireResync({ db, dialect }))
  await hasRead
  clock.now += 60
  // A look that fails, as it cannot write, leaves Next-Since where it was.
  const { watermark } = await findWatermark(database).catch(() => before)
  goOn()
  const reached = await resync
  t.ok(watermark <= reached, `${watermark} is not after ${reached}`)
})
