import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { createServer } from "@hattip/adapter-node/native-fetch"
import { createTestClient } from "@hattip/adapter-test"
import type { HattipHandler } from "@hattip/core"
import t, { type Test } from "tap"
import { password } from "../../support/builder.ts"
import { freshWorkshop } from "../../support/service.ts"

/** Sends a request to a path of the service. */
type Send = (path: string, init?: RequestInit) => Promise<Response>

/** The adapters of Hattip that the service is mounted in. */
const adapters: Record<string, (t: Test, handler: HattipHandler) => Promise<Send>> = {
  async "adapter-node"(t, handler) {
    const server = createServer(handler, { trustProxy: false })
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    t.teardown(() => server.close())
    const { port } = server.address() as AddressInfo
    return (path, init) => fetch(`http://127.0.0.1:${port}${path}`, { redirect: "manual", ...init })
  },
  "adapter-test"(_, handler) {
    const client = createTestClient({ handler, baseUrl: "http://localhost" })
    return Promise.resolve((path, init) => client(path, init))
  },
}

for (const [name, mount] of Object.entries(adapters)) {
  t.test(`the whole service runs in Hattip's ${name}`, async (t) => {
    const { build, write, start, entries } = await freshWorkshop(t)
    const event = await build.event(await build.organization("acme"))
    await build.guests(event, 3)
    await build.account("partner")
    await build.grant("partner", { event })
    write(`  - use: health
  - use: docs
  - use: connector-b
    with: { segment: connector-b, organizations: [acme] }`)
    const send = await mount(t, (await start()).handler)

    t.equal((await send("/livez")).status, 200)
    t.equal((await send("/readyz", { method: "HEAD" })).status, 200)
    t.match(await (await send("/docs")).text(), /^<!doctype html>/i)
    t.match(await (await send("/nothing")).json(), { status: 404, code: "not_found" })
    const notAllowed = await send("/livez", { method: "DELETE" })
    t.equal(notAllowed.status, 405)
    t.equal(notAllowed.headers.get("allow"), "GET, HEAD")

    const guests = `/connector-b/v1/events/${event}/guests`
    t.match(await (await send(guests)).json(), { status: 401, code: "unauthenticated" })
    const logIn = await send("/session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username: "partner", password }),
    })
    t.equal(logIn.status, 204)
    const [cookie = ""] = (logIn.headers.getSetCookie()[0] ?? "").split(";")
    const page = await send(guests, { headers: { cookie } })
    t.equal((await page.json()).length, 3)
    t.ok(page.headers.get("next-since"))
    const etag = page.headers.get("etag") ?? ""
    t.equal((await send(guests, { headers: { cookie, "if-none-match": etag } })).status, 304)
    const whole = await send(`${guests}/export`, { headers: { cookie } })
    t.equal((await whole.text()).split("\n").length, 5)
    t.equal((await send("/session", { method: "DELETE", headers: { cookie } })).status, 204)
    t.equal((await send(guests, { headers: { cookie } })).status, 401)

    const addresses = new Set(entries.flatMap(({ address }) => address ?? []))
    t.strictSame([...addresses], [name === "adapter-node" ? "127.0.0.1" : "unknown"])
  })
}
