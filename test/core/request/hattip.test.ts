import { createTestClient } from "@hattip/adapter-test"
import t from "tap"
import { password } from "../../support/builder.ts"
import { freshWorkshop } from "../../support/service.ts"

t.test("the whole service runs in an adapter of Hattip, which may know no addresses", async (t) => {
  const { build, write, start, entries } = await freshWorkshop(t)
  const event = await build.event(await build.organization("acme"))
  await build.guests(event, 3)
  await build.account("partner")
  await build.grant("partner", { event })
  write("  - use: health\n  - use: connector-b\n    with: { segment: b, organizations: [acme] }")
  const { handler } = await start()
  const send = createTestClient({ handler, baseUrl: "http://localhost" })

  t.equal((await send("/readyz", { method: "HEAD" })).status, 200)
  const notAllowed = await send("/livez", { method: "DELETE" })
  t.match([notAllowed.status, notAllowed.headers.get("allow")], [405, "GET, HEAD"])
  const guests = `/b/v1/events/${event}/guests`
  t.match(await (await send(guests)).json(), { status: 401, code: "unauthenticated" })
  const logIn = await send("/session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "partner", password }),
  })
  const [cookie = ""] = (logIn.headers.getSetCookie()[0] ?? "").split(";")
  const page = await send(guests, { headers: { cookie } })
  t.equal((await page.json()).length, 3)
  const etag = page.headers.get("etag") ?? ""
  t.equal((await send(guests, { headers: { cookie, "if-none-match": etag } })).status, 304)
  const whole = await send(`${guests}/export`, { headers: { cookie } })
  t.equal((await whole.text()).split("\n").length, 5)
  t.equal((await send("/session", { method: "DELETE", headers: { cookie } })).status, 204)
  t.equal((await send(guests, { headers: { cookie } })).status, 401)
  const addresses = new Set(entries.flatMap(({ address }) => address ?? []))
  t.strictSame([...addresses], ["unknown"])
})
