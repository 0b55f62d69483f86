import t from "tap"
import { walkLifetime } from "../../../../core/change-log/walk-lifetime.ts"
import { past } from "../../../support/builder.ts"
import { freshClocked } from "../../../support/polling/service.ts"

t.test("a walk by offset gets no page from when deleted records had their places still", async (t) => {
  const { world, instances, build, cookies, organization } = await freshClocked(t, "sqlite")
  const { clock, database: { writer } } = world
  for (const [index, { app }] of instances.entries()) {
    const event = await build.event(organization)
    const ids: string[] = []
    for (let age = 0; age < 8; age++) ids.push(await build.guest(event, { updated: past - age }))
    const ask = async (offset: number, tag = "") => {
      const path = `/connector-b/v1/events/${event}/guests?since=-1&limit=2&offset=${offset}`
      const headers = { cookie: cookies["partner"] ?? "", "if-none-match": tag }
      const response = await app.fetch(new Request(`http://localhost${path}`, { headers }))
      const found = response.status === 304 ? [] : await response.json()
      const etag = response.headers.get("etag") ?? ""
      return { etag, status: response.status, seen: found.map(({ id }: { id: string }) => id) }
    }
    await writer.deleteFrom("guest").where("id", "in", ids.splice(0, 2)).execute()
    await writer.updateTable("vacant_position").set({ at: clock.now }).execute()
    for (let turn = 0; turn < 3; turn++) {
      t.strictSame((await ask(2)).seen, ids.slice(0, 2), "the places of the deleted ones count")
    }
    const { etag } = await ask(2)
    clock.now += walkLifetime + 1
    const seen = []
    for (const offset of [0, 2, 4]) seen.push(...(await ask(offset)).seen)
    t.strictSame(seen, ids, `instance ${index}`)
    t.equal((await ask(2, etag)).status, 200)
  }
})
