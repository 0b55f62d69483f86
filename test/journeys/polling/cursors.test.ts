import { Buffer } from "node:buffer"
import t from "tap"
import { Cursors } from "../../../core/request/listing/cursor.ts"
import { secret } from "../../support/app.ts"
import { past } from "../../support/builder.ts"
import { onEmbedded } from "../../support/database.ts"
import { openJourney } from "../../support/polling/journey.ts"
import { linkOf } from "../../support/polling/link.ts"
import { freshClocked } from "../../support/polling/service.ts"
import { walkLifetime } from "../../../core/change-log/walk-lifetime.ts"

const walk = {
  q: "",
  since: -1,
  limit: 2,
  bucket: "",
  hash: "",
  category: "",
  nextSince: 1,
  issued: 31,
  after: { guests: [past, "an id"] as const },
}
const binding = { accountId: "an account", route: "/acme/v1/events", eventId: "an event" }
const [older, newer] = [
  "an older secret, of 32 characters or so",
  "a newer secret, of 32 characters",
]

t.test("Cursors opens cursors of all its secrets, and seals with the newest", (t) => {
  const sealed = new Cursors([older]).seal(walk, binding)
  t.strictSame(new Cursors([newer, older]).open(sealed, binding), walk)
  t.equal(new Cursors([newer]).open(sealed, binding), undefined, "a removed secret")
  const renewed = new Cursors([newer, older]).seal(walk, binding)
  t.strictSame(new Cursors([newer]).open(renewed, binding), walk)
  t.end()
})

t.test("Cursors does not open a cursor with a changed, missing or extra character", (t) => {
  const cursors = new Cursors([newer])
  const sealed = cursors.seal(walk, binding)
  for (let at = 0; at < sealed.length; at++) {
    const other = sealed[at] === "A" ? "B" : "A"
    t.equal(cursors.open(sealed.slice(0, at) + other + sealed.slice(at + 1), binding), undefined)
    t.equal(cursors.open(sealed.slice(0, at), binding), undefined)
    t.equal(cursors.open(`${sealed.slice(0, at)}=${sealed.slice(at)}`, binding), undefined)
  }
  t.equal(cursors.open(`${sealed}.A`, binding), undefined)
  t.end()
})

t.test("Cursors seals a walk without hash and category as services did that knew neither", (t) => {
  const { hash: _, category: __, ...others } = walk
  const contentOf = (sealed: string) =>
    JSON.parse(Buffer.from(sealed.split(".")[0] ?? "", "base64url").toString())
  const cursors = new Cursors([newer])
  const sealed = cursors.seal(walk, binding)
  t.strictSame(contentOf(sealed), Object.values(others))
  t.strictSame(cursors.open(sealed, binding), walk)
  const hashed = cursors.seal({ ...walk, hash: "3f" }, binding)
  t.strictSame(contentOf(hashed), [...Object.values(others), "3f"])
  t.strictSame(cursors.open(hashed, binding), { ...walk, hash: "3f" })
  const ofCategory = cursors.seal({ ...walk, category: "tickets" }, binding)
  t.strictSame(contentOf(ofCategory), [...Object.values(others), "", "tickets"])
  t.strictSame(cursors.open(ofCategory, binding), { ...walk, category: "tickets" })
  t.end()
})

t.test("Cursors seals to less than 1 kB, and with the longest q to less than 2 kB", (t) => {
  const cursors = new Cursors([newer])
  const categories = ["buyNows", "auctionItems", "pledges", "prizeDraws", "gliRaffles", "tickets"]
  const after = Object.fromEntries(
    categories.map((category) => [category, [past, crypto.randomUUID()] as const]),
  )
  t.ok(cursors.seal({ ...walk, q: "twenty characters :)", after }, binding).length < 1000)
  const longest = cursors.seal({ ...walk, q: "🎟".repeat(200), after }, binding)
  t.ok(longest.length < 2048, String(longest.length))
  t.ok(cursors.open(longest, binding))
  t.end()
})

await onEmbedded(t, async (t, engine) => {
  const { app, build, get, newEvent, now, walk: walkFrom } = await openJourney(t, engine)
  await build.account("stranger")
  await build.grant("stranger", { organization: "acme" })
  const [event, other] = [await newEvent(), await newEvent()]
  const ids = await build.guests(event, 5)
  await build.guests(other, 5)
  await build.items("tickets", event, 3)
  await build.items("pledges", event, 2)
  const guests = `/connector-b/v1/events/${event}/guests`
  const first = await get(`${guests}?limit=2&since=5`)
  const next = linkOf(first) ?? ""
  const cursor = new URL(next, "http://localhost").searchParams.get("cursor") ?? ""

  await t.test("GET …/guests by cursor stays in the bucket, and in the search, of its walk", async (t) => {
    const event = await newEvent()
    const [names, buckets] = [["Ada", "Grace"], ["a", "b"]]
    const wanted: string[] = []
    for (let n = 0; n < 12; n++) {
      const [first_name = "", bucket = ""] = [names[n % 2], buckets[n >> 1 & 1]]
      const id = bucket + crypto.randomUUID().slice(1)
      await build.guest(event, { id, first_name, updated: past - n })
      if (first_name === "Grace" && bucket === "b") wanted.push(id)
    }
    const seen = await walkFrom(
      `/connector-b/v1/events/${event}/guests?bucket=b&q=grace&limit=1&since=-1`,
    )
    t.equal(wanted.length, 3)
    t.strictSame(seen.map(({ id }) => id), wanted)
  })

  await t.test("GET …/guests returns no Link with the last page, even if that is full", async (t) => {
    t.equal(linkOf(await get(`${guests}?limit=5`)), undefined)
    t.equal(linkOf(await get(`${guests}?limit=2&offset=3`)), undefined)
    t.ok(linkOf(await get(`${guests}?limit=2&offset=2`)), "one more is left")
    t.ok(linkOf(await get(`${guests}?limit=4`)))
  })

  await t.test("GET …/items by cursor continues in the categories that More names", async (t) => {
    const items = `/connector-b/v1/events/${event}/items`
    const begin = await get(`${items}?limit=1`)
    t.equal(begin.headers.get("more"), "pledges, tickets")
    const second = await get(linkOf(begin) ?? "")
    t.equal(second.headers.get("more"), "tickets")
    t.match(await second.json(), { buyNows: [], pledges: { length: 1 }, tickets: { length: 1 } })
    const third = await get(linkOf(second) ?? "")
    t.equal(third.headers.get("more"), null)
    t.match(await third.json(), { buyNows: [], pledges: [], tickets: { length: 1 } })
    t.equal(linkOf(third), undefined)
  })

  const wrongCursors: [name: string, path: string, parameter: string, get?: typeof app.request][] =
    [
      ["without its last character", next.slice(0, -1), "cursor"],
      ["with another character", next.replace("cursor=W", "cursor=X"), "cursor"],
      ["of another event", next.replace(event, other), "cursor"],
      ["of another family", next.replace("connector-b", "connector-a"), "cursor"],
      ["of another list", next.replace("/guests", "/items"), "cursor"],
      ["of the list of deletions", next.replace("/guests", "/guests/deletions"), "cursor"],
      ["of another account", next, "cursor", await app.logIn("stranger")],
      ["with another q", `${next}&q=ada`, "q"],
      ["with another since", `${next}&since=6`, "since"],
      ["with another limit", `${next}&limit=3`, "limit"],
      ["with another bucket", `${next}&bucket=a`, "bucket"],
      ["with another hash", `${next}&hash=a`, "hash"],
      ["with an offset", `${next}&offset=0`, "offset"],
      ["of 8 kB of noise", `${guests}?cursor=${"x".repeat(8192)}`, "cursor"],
      ["of 8 kB of noise and a dot", `${guests}?cursor=x.${"x".repeat(8192)}`, "cursor"],
      ["given twice", `${next}&cursor=${cursor}`, "cursor"],
      ["for a digest", `${guests}/digest?cursor=${cursor}`, "cursor"],
    ]
  await t.test("a request by a wrong cursor returns 400 and names the parameter", async (t) => {
    for (const [name, path, parameter, as = get] of wrongCursors) {
      const response = await as(path)
      t.equal(response.status, 400, name)
      t.match(await response.json(), { code: "invalid_parameter", errors: [{ parameter }] }, name)
    }
  })

  await t.test("a request with an empty cursor returns the first page", async (t) => {
    const [empty, none] = [
      await get(`${guests}?cursor=&limit=2&since=`),
      await get(`${guests}?limit=2`),
    ]
    t.equal(empty.status, 200)
    t.strictSame(await empty.json(), await none.json())
  })

  await t.test("a request by a cursor may repeat the parameters of its walk", async (t) => {
    const response = await get(`${next}&limit=2&since=5&q=`)
    t.equal(response.status, 200)
    t.match(await response.json(), [{ id: ids[2] }, { id: ids[3] }])
  })

  const present = await now()
  const { id } = await app.database.writer.selectFrom("account").select("id")
    .where("username", "=", "partner").executeTakeFirstOrThrow()
  const place = {
    accountId: id,
    route: "/connector-b/v1/events/:eventId/guests",
    eventId: event,
  }
  await t.test("a cursor has the query of its walk, and the time at which it was made", async (t) => {
    const before = Math.floor(Date.now() / 1000)
    const response = await get(`${guests}?limit=2&since=-99999999999999999999&q=ada`)
    const link = new URL(linkOf(response) ?? "", "http://localhost").searchParams.get("cursor")
    const found = new Cursors([secret]).open(link ?? "", place)
    t.match(found, { q: "ada", since: -1, limit: 2, bucket: "", hash: "" })
    t.equal(found?.nextSince, Number(response.headers.get("next-since")))
    t.ok(Math.abs((found?.issued ?? 0) - before) <= 2, "it lasts a day from now on")
    t.strictSame(found?.after, { guests: [past + 4, ids[1]] })
  })

  const issued = (at: number) =>
    `${guests}?cursor=${new Cursors([secret]).seal({ ...walk, issued: at }, place)}`
  for (
    const [name, at, status] of [
      ["made just now", present, 200],
      ["made nearly a day ago", present - 86_000, 200],
      ["made more than a day ago", present - 86_401, 410],
      // The service knows when the clock was set back, and reads from there.
      ["from the future, as after a clock was set back", present + 100, 200],
    ] as const
  ) {
    await t.test(`a request by a cursor ${name} returns ${status}`, async (t) => {
      const response = await get(issued(at))
      t.equal(response.status, status)
      if (status === 410) {
        t.match(await response.json(), { code: "cursor_expired", detail: /Start again without it/ })
      }
    })
  }
})

t.test("a 304 says with a new cursor where the page goes on: that of the page which a cache has may have expired", async (t) => {
  const { world: { clock }, app, build, cookies, organization } = await freshClocked(t, "sqlite")
  const event = await build.event(organization)
  for (const age of [0, 10, 20]) {
    await build.guest(event, { updated: past - age })
    await build.item("tickets", event, { updated: past - age })
  }
  await build.item("pledges", event, { updated: past })
  const ask = async (path: string, tag = "") => {
    const headers = { cookie: cookies["partner"] ?? "", "if-none-match": tag }
    const response = await app(new Request(new URL(path, "http://localhost"), { headers }))
    const [etag, more] = ["etag", "more"].map((name) => response.headers.get(name))
    return { status: response.status, etag: etag ?? "", more, next: linkOf(response) ?? "" }
  }
  for (const [list, more] of [["guests", null], ["items", "tickets"]] as const) {
    const path = (since: number) => `/connector-b/v1/events/${event}/${list}?since=${since}&limit=2`
    const cached = await ask(path(-1))
    t.match(cached, { status: 200, more })
    clock.now += walkLifetime + 1
    const confirmed = await ask(path(-1), cached.etag)
    t.match(confirmed, { status: 304, more, etag: cached.etag })
    t.equal((await ask(cached.next)).status, 410)
    const second = await ask(confirmed.next)
    t.match(second, { status: 200, next: "" })
    t.match(await ask(confirmed.next, second.etag), { status: 304, next: "" })
    t.match(await ask(path(past - 10), cached.etag), { status: 304, more }, "at a later since")
    t.match(await ask(path(past - 9), cached.etag), { status: 304, more: null, next: "" })
  }
})
