import t from "tap"
import { onEveryApp } from "../../support/app.ts"

const hugeNumber = "9".repeat(400)

/** A query string, and what is wrong with which parameter; nothing means that it is good. */
const queries: [query: string, errors: Record<string, RegExp>][] = [
  ["", {}],
  ["q=&since=0&offset=0&limit=1", {}],
  ["since=-1", {}],
  [`since=-${hugeNumber}`, {}],
  ["offset=9007199254740991", {}],
  ["limit=007", {}],
  ["q=%F0%9F%8E%89", {}],
  [`q=${"x".repeat(200)}`, {}],
  [`q=${"%F0%9F%8E%89".repeat(200)}`, {}],
  [`q=+${"x".repeat(200)}+`, {}],
  ["&&limit=1&", {}],
  ["limit=0", { limit: /from 1 to 1000/ }],
  ["limit=1001", { limit: /from 1 to 1000/ }],
  ["limit=-1", { limit: /from 1 to 1000/ }],
  ["limit=1.5", { limit: /whole number/ }],
  ["limit=1e2", { limit: /whole number/ }],
  ["limit=0x10", { limit: /whole number/ }],
  ["limit=", {}],
  ["limit", {}],
  ["limit=%201", { limit: /whole number/ }],
  ["limit=+1", { limit: /whole number/ }],
  ["limit=1_000", { limit: /whole number/ }],
  ["limit=NaN", { limit: /whole number/ }],
  ["limit=%D9%A1", { limit: /whole number/ }],
  [`limit=${hugeNumber}`, { limit: /from 1 to 1000/ }],
  ["limit=1%00", { limit: /whole number/ }],
  ["offset=-1", { offset: /0 or more/ }],
  ["offset=1.0", { offset: /whole number/ }],
  ["offset=1e3", { offset: /whole number/ }],
  ["offset=", {}],
  ["offset=9007199254740992", { offset: /too large/ }],
  [`offset=${hugeNumber}`, { offset: /too large/ }],
  ["since=", {}],
  ["q=&since=&offset=&limit=&bucket=&cursor=", {}],
  ["bucket=&hash=", {}],
  ["cursor=&offset=1", {}],
  ["since=&since=", { since: /more than once/ }],
  ["page=", { page: /is not a parameter/ }],
  ["since=1.5", { since: /whole number/ }],
  ["since=1e9", { since: /whole number/ }],
  ["since=2020-11-22", { since: /whole number/ }],
  ["since=1606062358000", { since: /looks like milliseconds/ }],
  [`since=${hugeNumber}`, { since: /future/ }],
  ["since=0x5fb", { since: /whole number/ }],
  [`q=${"x".repeat(201)}`, { q: /at most 200/ }],
  ["q=a%00b", { q: /control characters/ }],
  ["q=a%0Ab", { q: /control characters/ }],
  ["q=%zz", { q: /percent-encoding/ }],
  ["q=%", { q: /percent-encoding/ }],
  ["q=%ff", { q: /percent-encoding/ }],
  ["q=%ED%A0%80", { q: /percent-encoding/ }],
  ["limit=1&limit=1", { limit: /more than once/ }],
  ["q=a&q=", { q: /more than once/ }],
  ["ofset=1000", { ofset: /did you mean offset\?/ }],
  ["Limit=1", { Limit: /did you mean limit\?/ }],
  ["sice=1", { sice: /did you mean since\?/ }],
  ["page=2", { page: /is not a parameter here/ }],
  ["__proto__=1", { ["__proto__"]: /is not a parameter here/ }],
  ["limit[]=1", { "limit[]": /is not a parameter here/ }],
  ["%zz=1", { "%zz": /percent-encoding/ }],
  ["=1", { "": /is not a parameter here/ }],
  ["ofset=1&limit=0&since=x&q=%00", {
    ofset: /offset/,
    limit: /1000/,
    since: /whole/,
    q: /control/,
  }],
]

await onEveryApp(t, async (t, { build, logIn }) => {
  const event = await build.event(await build.organization("acme"))
  await build.guest(event)
  await build.account("partner")
  await build.grant("partner", { organization: "acme" })
  const get = await logIn("partner")

  for (const [query, errors] of queries) {
    const shown = query.length > 60 ? `${query.slice(0, 60)}…` : query
    const bad = Object.entries(errors)
    await t.test(`GET …/guests?${shown} is ${bad.length > 0 ? "refused" : "answered"}`, async (t) => {
      for (const resource of ["guests", "items"]) {
        const response = await get(`/connector-b/v1/events/${event}/${resource}?${query}`)
        const body = await response.json()
        if (bad.length === 0) {
          t.equal(response.status, 200)
          continue
        }
        t.match([response.status, body.code], [400, "invalid_parameter"])
        const told = new Map(body.errors.map((error: Told) => [error.parameter, error.detail]))
        t.strictSame(
          [...told.keys()].sort(),
          bad.map(([name]) => name).sort(),
          "all of them, and no others",
        )
        for (const [name, detail] of bad) t.match(told.get(name), detail)
        t.ok(JSON.stringify(body).length < 2500, "the answer stays small")
      }
    })
  }

  for (
    const id of [
      "x",
      "1",
      `${event}0`,
      event.slice(1),
      event.replaceAll("-", ""),
      `{${event}}`,
      "%00",
      "'or'1'='1",
      "%F0%9F%8E%89",
      "x".repeat(5000),
    ]
  ) {
    await t.test(`an event id that is none, ${id.slice(0, 20).replace(event.slice(0, 6), "ID")}, is refused`, async (t) => {
      const response = await get(`/connector-b/v1/events/${id}/guests?limit=0`)
      const body = await response.json()
      t.match([response.status, body.code], [400, "invalid_parameter"])
      t.strictSame(body.errors.map((error: Told) => error.parameter), ["eventId", "limit"])
    })
  }

  await t.test("an event id is taken in either case, and told in lower case", async (t) => {
    const response = await get(`/connector-b/v1/events/${event.toUpperCase()}/guests?since=-1`)
    t.match(await response.json(), [{ eventId: event }])
  })
})

interface Told {
  readonly parameter: string
  readonly detail: string
}
