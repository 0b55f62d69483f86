import t, { type Test } from "tap"
import { itemCategories } from "../../../../core/records/kinds/items.ts"
import { freshApp } from "../../../support/app.ts"
import { type Engine, onEveryEngine } from "../../../support/database.ts"
import { FeedClient, listedCopy } from "../../../support/feed/feed-client.ts"

/** Starts a service with an event of guests and items. */
async function start(t: Test, engine: Engine) {
  let event = ""
  const app = await freshApp(t, engine, {
    prepare: async (build) => {
      const organization = await build.organization("acme")
      event = await build.event(organization)
      await build.guests(event, 5)
      for (const category of itemCategories) await build.items(category, event, 2)
      await build.account("acme-export", "service")
      await build.account("partner")
      for (const name of ["acme-export", "partner"]) {
        await build.grant(name, { organization: "acme" })
      }
    },
  })
  const path = `/acme/v1/events/${event}`
  return { ...app, event, path, get: await app.logIn("acme-export") }
}

await onEveryEngine(t, async (t, engine) => {
  const app = await start(t, engine)
  const { get, path, event, database } = app

  await t.test("a first walk brings all records, oldest first, as the lists send them", async (t) => {
    const client = new FeedClient(get, path)
    const changes = await client.poll(3)
    t.equal(changes.length, 17)
    const times = changes.map(({ record }) => record?.updated ?? 0)
    t.strictSame(times, times.toSorted((a, b) => a - b))
    t.strictSame(sorted(client.copy), sorted(await listedCopy(get, path)))
  })

  await t.test("a deletion and a change come with the next poll", async (t) => {
    const client = new FeedClient(get, path)
    await client.poll()
    const [first, second] = [...client.copy.keys()].filter((key) => key.startsWith("guests"))
      .map((key) => key.split(" ")[1] as string)
    await database.writer.deleteFrom("guest").where("event_id", "=", event).where(
      "id",
      "=",
      first as string,
    ).execute()
    await database.writer.updateTable("guest").set({ external_id: "new" }).where(
      "event_id",
      "=",
      event,
    )
      .where("id", "=", second as string).execute()
    const changes = await client.poll()
    t.match(changes.find(({ id }) => id === first), {
      list: "guests",
      category: "guests",
      deleted: Number,
    })
    t.match(changes.find(({ id }) => id === second), { record: { externalId: "new" } })
    t.strictSame(sorted(client.copy), sorted(await listedCopy(get, path)))
    const idle = await client.read()
    t.strictSame(idle, { changes: [], next: client.state, more: false })
  })

  await t.test("a single record is as the list has it", async (t) => {
    const [guest] = await (await get(`${path}/guests?since=-1`)).json()
    const response = await get(`${path}/guests/${guest.id}`)
    t.equal(response.status, 200)
    t.strictSame(await response.json(), guest)
    const again = await get(`${path}/guests/${guest.id}`, {
      headers: { "if-none-match": response.headers.get("etag") ?? "" },
    })
    t.equal(again.status, 304)
    const { tickets: [ticket] } = await (await get(`${path}/items?since=-1`)).json()
    t.strictSame(
      await (await get(`${path}/items/${ticket.id.toUpperCase()}?category=tickets`)).json(),
      { category: "tickets", ...ticket },
    )
    const none = await get(`${path}/guests/00000000-0000-4000-8000-000000000000`)
    t.match(await none.json(), { status: 404, code: "record_not_found" })
  })
})

function sorted(copy: ReadonlyMap<string, string>): string[] {
  return [...copy].map(([key, text]) => `${key} ${text}`).sort()
}
