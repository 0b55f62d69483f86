import t from "tap"
import { freshApp } from "../../support/app.ts"
import { onEmbedded } from "../../support/database.ts"

const hugeNumber = "9".repeat(400)

/** A query string, and what is wrong with which parameter; nothing means that it is good. */
const queries: [query: string, errors: Record<string, RegExp>][] = [
  ["", {}],
  ["since=-1", {}],
  [`since=-${hugeNumber}`, {}],
  ["offset=9007199254740991", {}],
  ["q=%F0%9F%8E%89", {}],
  [`q=${"x".repeat(200)}`, {}],
  [`q=${"%F0%9F%8E%89".repeat(200)}`, {}],
  [`q=+${"x".repeat(200)}+`, {}],
  ["&&limit=1&", {}],
  ["limit=0", { limit: /from 1 to 1000/ }],
  ["limit=1001", { limit: /from 1 to 1000/ }],
  ["limit=1.5", { limit: /whole number/ }],
  ["limit=1e2", { limit: /whole number/ }],
  ["limit=%D9%A1", { limit: /whole number/ }],
  [`limit=${hugeNumber}`, { limit: /from 1 to 1000/ }],
  ["offset=-1", { offset: /0 or more/ }],
  ["offset=9007199254740992", { offset: /too large/ }],
  [`offset=${hugeNumber}`, { offset: /too large/ }],
  ["q=&since=&offset=&limit&bucket=&cursor=", {}],
  ["since=&since=", { since: /more than once/ }],
  ["page=", { page: /is not a parameter/ }],
  ["since=1.5", { since: /whole number/ }],
  ["since=2020-11-22", { since: /whole number/ }],
  ["since=1606062358000", { since: /looks like milliseconds/ }],
  [`since=${hugeNumber}`, { since: /future/ }],
  [`q=${"x".repeat(201)}`, { q: /at most 200/ }],
  ["q=a%00b", { q: /control characters/ }],
  ["q=a%0Ab", { q: /control characters/ }],
  ["q=%ED%A0%80", { q: /percent-encoding/ }],
  ["limit=1&limit=1", { limit: /more than once/ }],
  ["ofset=1000", { ofset: /did you mean offset\?/ }],
  ["sice=1", { sice: /did you mean since\?/ }],
  ["__proto__=1", { ["__proto__"]: /is not a parameter here/ }],
  ["%zz=1", { "%zz": /percent-encoding/ }],
  ["=1", { "": /is not a parameter here/ }],
  ["ofset=1&limit=0&since=x&q=%00", {
    ofset: /offset/,
    limit: /1000/,
    since: /whole/,
    q: /control/,
  }],
]

await onEmbedded(t, async (t, engine) => {
  const { build, logIn } = await freshApp(t, engine)
  const event = await build.event(await build.organization("acme"))
  await build.guest(event)
  await build.account("partner")
  await build.grant("partner", { organization: "acme" })
  const get = await logIn("partner")

  for (const resource of ["guests", "items"]) {
    await t.test(`GET …/${resource} refuses a wrong query, names each wrong parameter, and answers all others`, async (t) => {
      for (const [query, errors] of queries) {
        const shown = query.slice(0, 60)
        const bad = Object.entries(errors)
        const response = await get(`/connector-b/v1/events/${event}/${resource}?${query}`)
        const body = await response.json()
        if (bad.length === 0) {
          t.equal(response.status, 200, shown)
          continue
        }
        t.match([response.status, body.code], [400, "invalid_parameter"], shown)
        const told = new Map(body.errors.map((error: Told) => [error.parameter, error.detail]))
        t.strictSame(
          [...told.keys()].sort(),
          bad.map(([name]) => name).sort(),
          shown,
        )
        for (const [name, detail] of bad) t.match(told.get(name), detail)
        t.match(body.detail, /[^.?][.?] Nothing was read\.$/)
        t.ok(JSON.stringify(body).length < 2500, "the answer stays small")
      }
    })
  }

  await t.test("an event id that is none is refused, beside what else is wrong", async (t) => {
    const wrong = ["x", "1", `${event}0`, event.slice(1), event.replaceAll("-", ""), `{${event}}`]
    for (const id of [...wrong, "%00", "'or'1'='1", "%F0%9F%8E%89", "x".repeat(5000)]) {
      const response = await get(`/connector-b/v1/events/${id}/guests?limit=0`)
      const body = await response.json()
      t.match([response.status, body.code], [400, "invalid_parameter"], id.slice(0, 60))
      t.strictSame(body.errors.map((error: Told) => error.parameter), ["eventId", "limit"])
    }
  })

  await t.test("an event id is taken in either case, and told in lower case", async (t) => {
    const response = await get(`/connector-b/v1/events/${event.toUpperCase()}/guests?since=-1`)
    t.match(await response.json(), [{ eventId: event }])
  })
})

interface Told {
  readonly parameter: string
  readonly detail: string
}
