import t from "tap"
import { withoutMysql } from "../../support/database.ts"
import { linkOf } from "../../support/polling/link.ts"
import { freshClocked, lag } from "../../support/polling/service.ts"

await t.test("on MySQL", { skip: withoutMysql }, async (t) => {
  const { world: { clock }, app, build, changes, cookies, organization } = await freshClocked(
    t,
    "mysql",
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

await t.test("on the embedded database, a cursor from before the clock was set back returns 410", async (t) => {
  const { world: { clock }, app, build, cookies, organization } = await freshClocked(t, "sqlite")
  const event = await build.event(organization)
  await build.guests(event, 3)
  const ask = async (path: string) => {
    const headers = { cookie: cookies["partner"] ?? "" }
    const response = await app(new Request(new URL(path, "http://localhost"), { headers }))
    return { status: response.status, next: linkOf(response), text: await response.text() }
  }
  const first = await ask(`/connector-b/v1/events/${event}/guests?since=-1&limit=1`)
  const second = await ask(first.next ?? "")
  t.strictSame([first.status, second.status], [200, 200])
  clock.now -= lag + 1
  const late = await ask(second.next ?? "")
  t.equal(late.status, 410)
  t.match(late.text, "cursor_expired")
})
