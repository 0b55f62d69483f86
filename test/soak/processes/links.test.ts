import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import t from "tap"
import { password } from "../../support/builder.ts"
import { linkOf } from "../../support/polling/link.ts"
import { processApp } from "../support/service-process.ts"

t.test(
  "GET …/guests returns a Link with the host that was asked, and no host that is not allowed",
  async (t) => {
    const app = await processApp(t, "node")
    const event = await app.build.event(await app.build.organization("acme"))
    await app.build.guests(event, 2)
    await app.build.account("partner")
    await app.build.grant("partner", { organization: "acme" })
    const get = await app.logIn("partner")
    const path = `/connector-b/v1/events/${event}/guests`
    const first = await get(`${path}?limit=1`, {
      headers: { "x-forwarded-host": "evil.example", forwarded: "host=evil.example" },
    })
    await first.arrayBuffer()
    const link = first.headers.get("link") ?? ""
    t.ok(link.startsWith(`<${app.url}${path}?cursor=`), link)
    const next = await get(linkOf(first) ?? "")
    t.match(await next.json(), { length: 1 })
    t.equal(next.headers.get("link"), null)

    const other = app.url.replace("127.0.0.1", "localhost")
    const logIn = await fetch(`${other}/session`, {
      method: "POST",
      headers: { "content-type": "application/json", prefer: "return=representation" },
      body: JSON.stringify({ username: "partner", password }),
    })
    const headers = { authorization: `Bearer ${(await logIn.json()).token}` }
    const begun = await fetch(`${other}${path}?limit=1`, { headers })
    const records = await begun.json()
    const [, url = ""] = /^<(.*)>; rel="next"$/.exec(begun.headers.get("link") ?? "") ?? []
    t.ok(url.startsWith(`${other}${path}?cursor=`), `${url} stays where the walk began`)
    records.push(...await (await fetch(url, { headers })).json())
    t.equal(new Set(records.map(({ id }: { id: string }) => id)).size, 2)

    const [evil] = await once(
      request(`${app.url}/session`, { headers: { host: "evil.example" } }).end(),
      "response",
    ) as [IncomingMessage]
    evil.resume()
    t.equal(evil.statusCode, 421, "a foreign Host is refused")
  },
)
