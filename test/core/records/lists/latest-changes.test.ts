import t from "tap"
import { fullResync } from "../../../../core/change-log/clock-steps.ts"
import { pruneChangeLog } from "../../../../core/change-log/prune.ts"
import { categories, type Category } from "../../../../core/records/kinds/categories.ts"
import { freshApp } from "../../../support/app.ts"
import { past } from "../../../support/builder.ts"
import { onEveryEngine } from "../../../support/database.ts"
import { linkOf } from "../../../support/polling/link.ts"
import { settleAll } from "../../../support/settle.ts"

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

  await t.test("GET …/events returns when records of any category last changed, or were deleted", async (t) => {
    const all = Object.keys(categories) as Category[]
    for (const category of engine === "mysql" ? all.slice(0, 2) : all) {
      const event = await build.event(organization)
      t.equal(await changedOf(event), null)
      const add = () =>
        category === "guests" ? build.guests(event, 3) : build.items(category, event, 3)
      await add()
      t.ok(await changedOf(event) as number > past, category)
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
    }
  })

  await t.test("GET …/events returns when a record was deleted also after that is forgotten, and others stay as they were", async (t) => {
    const event = await build.event(organization)
    const quiet = await build.event(organization)
    for (const each of [event, quiet]) {
      await build.guests(each, 2)
      await build.items("tickets", each, 2)
    }
    for (const table of ["guest", "ticket"] as const) {
      await writer.deleteFrom(table).where("event_id", "=", event).execute()
    }
    // The log keeps its times: earlier ones would tell the service that the clock was set back.
    const [day, at] = [86_400, Math.floor(Date.now() / 1000) - 172_800]
    await writer.updateTable("deletion").set({ at: at - day }).execute()
    await writer.updateTable("deletion").set({ at }).where("event_id", "=", event)
      .where("category", "=", "guests").execute()
    await settleAll(app.database)
    const before = [await changedOf(event), await changedOf(quiet)]
    t.equal(before[0], at)
    await pruneChangeLog(app.database, -day)
    const left = await writer.selectFrom("deletion").selectAll().where("event_id", "=", event)
      .execute()
    t.equal(left.length, 0)
    t.strictSame([await changedOf(event), await changedOf(quiet)], before)
    const deletions = await get(`/connector-b/v1/events/${event}/guests/deletions?since=${at - 1}`)
    t.equal(deletions.status, 410, "so whoever was away gets to know it")
  })

  await t.test("GET …/events lists an event that moves to the front during a walk from the Next-Since of its first page on", async (t) => {
    const ids = [await build.event(organization), await build.event(organization)].toSorted()
    const first = await get("/connector-b/v1/events?since=-1&limit=1")
    const seen = new Set((await first.json()).map(({ id }: { id: string }) => id))
    const [moved = ""] = ids.filter((id) => !seen.has(id))
    await writer.updateTable("event").set({ name: "Spring Gala" }).where("id", "=", moved).execute()
    for (let url = linkOf(first); url !== undefined;) {
      const page: Response = await get(url)
      for (const { id } of await page.json()) seen.add(id)
      url = linkOf(page)
    }
    t.notOk(seen.has(moved))
    const since = first.headers.get("next-since")
    const rest = await (await get(`/connector-b/v1/events?since=${since}`)).json()
    t.ok(rest.some(({ id }: { id: string }) => id === moved))
  })

  await t.test("GET …/events returns 304 until a record of an event changes", async (t) => {
    const event = await build.event(organization)
    const first = await get("/connector-b/v1/events")
    await first.text()
    const headers = { "if-none-match": first.headers.get("etag") ?? "" }
    t.equal((await get("/connector-b/v1/events", { headers })).status, 304)
    await build.guest(event, { updated: Math.floor(Date.now() / 1000) + 2000 })
    t.equal((await get("/connector-b/v1/events", { headers })).status, 200)
    t.ok(await changedOf(event) as number > past)
    const since = first.headers.get("next-since")
    const later = await (await get(`/connector-b/v1/events?since=${since}`)).json()
    const ids = later.map(({ id }: { id: string }) => id)
    t.notOk(ids.includes(event), "only the event itself counts for since")
  })

  // The last: a service goes on by the steps that it has read for up to a second.
  await t.test("GET …/events returns a time as the latest if the clock was set back after it", async (t) => {
    const now = Math.floor(Date.now() / 1000)
    const event = await build.event(organization)
    await build.guest(event)
    await set("guest", event, now + 100)
    // From the earliest time that it was set back to, until the latest that it had reached.
    const step = { reached: now + 300, back_to: now + 101 }
    const within = { reached: now + 290, back_to: now + 250 }
    await writer.insertInto("clock_step").values([step, within]).execute()
    t.equal(await changedOf(event), now + 100)
    for (const [updated, changed] of [[101, 300], [200, 300], [300, 300], [301, 301]] as const) {
      await set("guest", event, now + updated)
      t.equal(await changedOf(event), now + changed)
    }
    await writer.insertInto("clock_step").values({ reached: now + 400, back_to: fullResync })
      .execute()
    t.equal(await changedOf(await build.event(organization)), now + 400, "it may have had records")
    await writer.deleteFrom("clock_step").execute()
  })
})
