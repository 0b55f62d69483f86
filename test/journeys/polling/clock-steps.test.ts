import t from "tap"
import { onEveryEngine } from "../../support/database.ts"
import { freshClocked } from "../../support/polling/service.ts"

await onEveryEngine(t, async (t, engine) => {
  const { world: { clock }, app, build, changes, cookies, organization } = await freshClocked(
    t,
    engine,
  )

  /** Requests the first page of an event's tickets, one record long. */
  const ask = async (event: string, since: number, tag?: string | null) => {
    const headers = new Headers({ cookie: cookies["partner"] ?? "" })
    if (tag) headers.set("if-none-match", tag)
    const path = `/connector-b/v1/events/${event}/items?since=${since}&limit=1`
    const response = await app(new Request(`http://localhost${path}`, { headers }))
    const { status } = response
    return { status, text: await response.text(), etag: response.headers.get("etag") }
  }

  await t.test("GET …/items with a tag returns 200 if its since was moved back from between two times of the clock", async (t) => {
    const event = await build.event(organization)
    await build.item("tickets", event)
    await changes.look()
    const since = clock.now
    clock.now -= 30
    const missed = await build.item("tickets", event, { name: "stamped before the since" })
    const before = await ask(event, since)
    t.equal(before.status, 200)
    t.notMatch(before.text, missed)
    t.equal((await ask(event, since, before.etag)).status, 304)

    await changes.look()
    const after = await ask(event, since, before.etag)
    t.equal(after.status, 200)
    t.equal(after.text, before.text, "the same page, which more records follow now")
    t.not(after.etag, before.etag)
    t.equal((await ask(event, since, after.etag)).status, 304)
  })
})
