import { setTimeout } from "node:timers/promises"
import t, { type Test } from "tap"
import { clockMargin } from "../../../core/change-log/clock-steps.ts"
import { matchesEtag } from "../../../core/http/representation.ts"
import { startInstance } from "../../conformance/instance.ts"
import { fillElsewhere, onEveryApp, testConfig } from "../../support/app.ts"
import { Builder, past } from "../../support/builder.ts"
import { copiedUrl, openFor } from "../../support/database.ts"
import { linkOf } from "../../support/polling/link.ts"
import { scannedLog } from "../../support/scanned-log.ts"
import { logInto } from "../../support/service.ts"

const tags: [ifNoneMatch: string | null, matches: boolean][] = [
  [null, false],
  ["", false],
  ['"a"', true],
  ['W/"a"', true],
  ['"b", "a"', true],
  ['"b" , W/"a" ,"c"', true],
  ['"b,c", "a"', true],
  ["*", true],
  [" * ", true],
  ['"b"', false],
  ['"A"', false],
  ["a", false],
  ['"a', false],
  ['x"a"', false],
  ['w/"a"', false],
]
t.test('If-None-Match matches the tag "a" if it names it, weak or strong, or any', (t) => {
  for (const [text, matches] of tags) t.equal(matchesEtag(text, '"a"'), matches, String(text))
  t.end()
})

await onEveryApp(t, async (t, app) => {
  const { build } = app
  const organization = await build.organization("acme")
  await build.account("partner")
  await build.grant("partner", { organization: "acme" })
  const event = await build.event(organization)
  await build.guests(event, 3)
  await build.item("tickets", event)
  const get = await app.logIn("partner")
  const prefix = "/connector-b/v1"
  const of = `${prefix}/events/${event}`
  const paths = [
    `${prefix}/events`,
    `${of}/guests`,
    `${of}/guests/deletions`,
    `${of}/guests/digest`,
    `${of}/items`,
    `${of}/items/deletions`,
    `${of}/items/digest`,
  ]

  const testUnchanged = async (t: Test, path: string): Promise<void> => {
    const headersOf = async (method: "GET" | "HEAD") => {
      const response = await get(path, { method })
      await response.arrayBuffer()
      return response.headers
    }
    const headers = await headersOf("GET")
    const etag = headers.get("etag")
    const tags = [etag, `W/${etag}`, `"x", ${etag}`, "*"]
    const answers = []
    for (const tag of [...tags, '"other"']) {
      const answer = await get(path, { headers: { "if-none-match": tag ?? "" } })
      answers.push({ answer, bytes: (await answer.arrayBuffer()).byteLength })
    }
    t.equal((await headersOf("HEAD")).get("etag"), etag)
    t.equal(answers.at(-1)?.answer.status, 200)
    for (const { answer, bytes } of answers.slice(0, -1)) {
      t.strictSame([answer.status, bytes], [304, 0])
      t.equal(answer.headers.get("etag"), etag)
      t.equal(answer.headers.get("cache-control"), "private, no-cache")
      t.ok(Number(answer.headers.get("next-since")) >= Number(headers.get("next-since")))
    }
  }

  for (const path of paths) {
    await t.test(`GET ${path} returns the headers of a poll, also with 304`, async (t) => {
      const before = Math.floor(Date.now() / 1000)
      let response = await get(path)
      // It is as late as the last look at open changes.
      while (Number(response.headers.get("next-since")) < before - clockMargin) {
        await response.arrayBuffer()
        await setTimeout(20)
        response = await get(path)
      }
      t.equal(response.status, 200)
      const headers = Object.fromEntries(response.headers)
      t.match(headers, {
        "cache-control": "private, no-cache",
        vary: "Accept, Accept-Encoding, Authorization, Cookie",
        etag: /^"(?:-?\d+\.\d*\.[\w-]{22}|[\w-]{43})"$/,
        "poll-interval": path.includes(event) ? "60" : "900",
      })
      t.ok(Number(headers["next-since"]) <= Math.floor(Date.now() / 1000) - clockMargin)
      await response.arrayBuffer()
      await testUnchanged(t, path)
    })
  }

  for (const [status, seconds] of [["upcoming", 900], ["closed", 86_400], ["odd", 60]] as const) {
    await t.test(`GET …/guests of an event with status ${status} returns Poll-Interval: ${seconds}`, async (t) => {
      const event = await build.event(organization, { status })
      const response = await get(`${prefix}/events/${event}/guests`)
      await response.arrayBuffer()
      t.equal(response.headers.get("poll-interval"), String(seconds))
    })
  }

  await t.test("GET …?bucket= returns records whose ids begin with it, in either case, and supports paging", async (t) => {
    const event = await build.event(organization)
    const ids = ["a0", "ab", "AC", "b0"].map((start) =>
      start.toLowerCase() + crypto.randomUUID().slice(2)
    )
    for (const [index, id] of ids.entries()) {
      await build.guest(event, { id, updated: past - index })
      await build.item("pledges", event, { id, updated: past - index })
    }
    const list = async (query: string) => {
      const response = await get(`${prefix}/events/${event}/${query}`)
      t.equal(response.status, 200)
      const body = await response.json()
      return (body.pledges ?? body).map(({ id }: { id: string }) => id)
    }
    t.strictSame(await list("guests?bucket=A"), ids.slice(0, 3))
    t.strictSame(await list("guests?bucket=ab"), ids.slice(1, 2))
    t.strictSame(await list("items?bucket=a"), ids.slice(0, 3))
    t.strictSame(await list("guests?bucket=a&offset=1&limit=1"), ids.slice(1, 2))
    t.strictSame(await list("guests?bucket=f"), [])
    const wrong = await get(`${prefix}/events/${event}/guests?bucket=g`)
    t.equal(wrong.status, 400)
    t.match(await wrong.json(), { errors: [{ parameter: "bucket" }] })
  })
}, fillElsewhere)

t.test("GET …/guests returns a Link with the origin that was asked, whatever is said to be forwarded", async (t) => {
  const url = await copiedUrl(t, "sqlite")
  const build = new Builder(await openFor(t, url))
  const event = await build.event(await build.organization("acme"))
  await build.guests(event, 2)
  await build.account("partner")
  await build.grant("partner", { organization: "acme" })
  const instance = await startInstance(await testConfig(url), { log: scannedLog(t, []) })
  t.teardown(() => instance.close())
  const origin = "https://export.example.org:8443"
  const get = await logInto((request) => instance.fetch(request), "partner", origin)
  const path = `/connector-b/v1/events/${event}/guests`
  const first = await get(`${path}?limit=1`, {
    "x-forwarded-host": "evil.example",
    forwarded: "host=evil.example",
  })
  const link = first.headers.get("link") ?? ""
  t.ok(link.startsWith(`<${origin}${path}?cursor=`), link)
  const next = await get(linkOf(first) ?? "")
  t.match(await next.json(), { length: 1 })
  t.equal(next.headers.get("link"), null)
})
