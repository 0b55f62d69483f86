import t from "tap"
import { Database } from "../../../../core/data/database.ts"
import { itemCategories } from "../../../../core/records/kinds/items.ts"
import { freshUrl } from "../../../support/database.ts"
import { openClocked } from "../../../support/polling/clocked.ts"
import { startClocked } from "../../../support/polling/service.ts"

await t.test("GET items reads keys once if the lists are too large for the memory", async (t) => {
  const url = await freshUrl(t, "sqlite")
  const world = await openClocked("sqlite", url)
  const caches = [{ pages: 0, records: 120_000, isEager: true }]
  const { instances, build, organization, cookies, close } = await startClocked(world, url, {
    caches,
  })
  t.teardown(async () => {
    await close()
    await world.close()
  })
  const event = await build.event(organization)
  for (const category of itemCategories) await build.items(category, event, 60)
  let reads = 0
  Object.defineProperty(world.database, "readOnce", {
    value(work: never) {
      reads++
      return Database.prototype.readOnce.call(this, work)
    },
  })
  for (const since of [1, 2, 3]) {
    reads = 0
    const response = await instances[0]?.app.fetch(
      new Request(`http://localhost/acme/v1/events/${event}/items?since=${since}`, {
        headers: { cookie: cookies["acme-export"] ?? "" },
      }),
    )
    t.equal(response?.status, 200)
    t.ok(reads <= 2, `${reads} statements`)
  }
})
