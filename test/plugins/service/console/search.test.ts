import t from "tap"
import { freshApp } from "../../../support/app.ts"
import { browserOf } from "../../../support/browse.ts"
import { onEveryEngine } from "../../../support/database.ts"

await onEveryEngine(t, async (t, engine) => {
  const app = await freshApp(t, engine)
  const { build } = app
  const event = await build.event(await build.organization("acme"), { name: "Gala <b>&" })
  const guest = await build.guest(event)
  await build.account("operator", "operator")
  await build.account("acme-export", "service")
  await build.grant("acme-export", { organization: "acme" })
  const { browse, read, submit } = await browserOf(app, "operator")
  const partner = await app.logIn("acme-export")
  const headers = { "x-request-id": "audited-list" }
  await (await partner(`/acme/v1/events/${event}/guests`, { headers })).text()
  await submit("/console/accounts/acme-export", { action: "grant", event })
  const count = async (query: string) => {
    const text = await read(`/console/audit?${query}`)
    return Number(/(\d+) entries/.exec(text)?.[1] ?? 0)
  }
  // Requests are recorded in the background.
  while (await count("action=list") === 0) await new Promise((resolve) => setTimeout(resolve, 20))

  await t.test("GET /console/search goes to the only thing that is found, and lists several", async (t) => {
    const places = {
      "acme-exp": "/console/partners/acme-export",
      "ACME-EXPORT": "/console/partners/acme-export",
      "operator": "/console/accounts/operator",
      [event]: `/console/events/${event}`,
      [event.toUpperCase().slice(0, 13)]: `/console/events/${event}`,
      "gala <b>": `/console/events/${event}`,
      [guest]: `/console/disclosures?guest=${guest}`,
      "audited-list": "/console/audit?request=audited-list",
    }
    for (const [text, place] of Object.entries(places)) {
      const { headers } = await browse(`/console/search?q=${encodeURIComponent(text)}`)
      t.equal(headers.get("location"), place, text)
    }
    const several = await read("/console/search?q=acme")
    t.match(several, /Partner<\/span>[^]*acme-export[^]*Event<\/span>[^]*Gala &lt;b&gt;&amp;/)
    t.match(several, /name="q" value="acme"/)
  })

  await t.test("GET /console/search finds nothing by patterns, and does not search without a text", async (t) => {
    for (const q of ["Zürich 数", "' or 1=1 --", "%", "_", "x".repeat(5000)]) {
      t.match(await read(`/console/search?q=${encodeURIComponent(q)}`), "Nothing was found")
    }
    for (const empty of ["%20", "%00", "%E2%80%8B%20"]) {
      t.notMatch(await read(`/console/search?q=${empty}`), /Nothing was found|class="hits"/)
    }
  })

  await t.test("GET /console/search finds no guests for viewers", async (t) => {
    await build.account("looker", "viewer")
    const look = await browserOf(app, "looker")
    t.match(await look.read(`/console/search?q=${guest}`), "Nothing was found")
    t.equal((await look.browse("/console/search?q=acme-exp")).status, 303)
  })

  await t.test("GET /console/audit filters by everything in the URL, and shows what is wrong", async (t) => {
    const counts = {
      "account=acme-export&action=list": 1,
      "action=list&status=200": 1,
      "action=list&status=4xx": 0,
      [`event=${event}&action=list`]: 1,
      [`event=${event.toUpperCase()}&action=list`]: 1,
      "action=list&until=2020-01-01": 0,
      "action=list&since=2020-01-01": 1,
      "actor=operator": 1,
      "actor=acme-export": 0,
    }
    for (const [query, expected] of Object.entries(counts)) {
      t.equal(await count(query), expected, query)
    }
    for (const query of ["status=40", "since=yesterday", "until=2030-02-31x"]) {
      const response = await browse(`/console/audit?${query}`)
      t.equal(response.status, 400)
      t.match(await response.text(), /is not a (date|status)/)
    }
  })
})
