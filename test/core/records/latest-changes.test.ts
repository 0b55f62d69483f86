import t from "tap"
import { categories, type Category } from "../../../core/records/categories.ts"
import { freshApp } from "../../support/app.ts"
import { past } from "../../support/builder.ts"
import { onEveryEngine } from "../../support/database.ts"

await onEveryEngine(t, async (t, engine) => {
  const app = await freshApp(t, engine)
  const { build, database: { writer } } = app
  const organization = await build.organization("acme")
  await build.account("partner")
  await build.grant("partner", { organization: "acme" })
  const get = await app.logIn("partner")
  const changedOf = async (event: string): Promise<number | null> => {
    const events = await (await get("/connector-b/v1/events")).json()
    return events.find(({ id }: { id: string }) => id === event).changed
  }
  const set = (table: "guest", event: string, updated: number) =>
    writer.updateTable(table).set({ updated }).where("event_id", "=", event).execute()

  for (const category of Object.keys(categories) as Category[]) {
    await t.test(`GET …/events returns when ${category} last changed, or were deleted`, async (t) => {
      const event = await build.event(organization)
      t.equal(await changedOf(event), null)
      const add = () =>
        category === "guests" ? build.guests(event, 3) : build.items(category, event, 3)
      await add()
      t.ok(await changedOf(event) as number > past)
      const table = categories[category] as "guest"
      const future = Math.floor(Date.now() / 1000) + 500
      await set(table, event, future)
      t.equal(await changedOf(event), future)
      await writer.deleteFrom(table).where("event_id", "=", event).execute()
      const gone = await changedOf(event) ?? 0
      t.ok(gone > past && gone < future, "the deletion is what is left")
      await writer.updateTable("deletion").set({ at: future + 1 })
        .where("event_id", "=", event).execute()
      await add()
      t.equal(await changedOf(event), future + 1, "the latest of both")
    })
  }

  await t.test("GET …/events returns a time as the latest if the clock was set back after it", async (t) => {
    const now = Math.floor(Date.now() / 1000)
    const event = await build.event(organization)
    await build.guest(event)
    await set("guest", event, now + 100)
    const step = { reached: now + 300, back_to: now + 101 }
    await writer.insertInto("clock_step").values(step).execute()
    t.equal(await changedOf(event), now + 100)
    for (const [updated, changed] of [[101, 300], [200, 300], [300, 300], [301, 301]] as const) {
      await set("guest", event, now + updated)
      t.equal(await changedOf(event), now + changed)
    }
  })

  await t.test("GET …/events returns 304 until a record of an event changes", async (t) => {
    const event = await build.event(organization)
    const first = await get("/connector-b/v1/events")
    await first.text()
    const headers = { "if-none-match": first.headers.get("etag") ?? "" }
    t.equal((await get("/connector-b/v1/events", { headers })).status, 304)
    await build.guest(event)
    t.equal((await get("/connector-b/v1/events", { headers })).status, 200)
  })
})
