import { copyFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import t, { type Test } from "tap"
import { isPastSunset, refuseBadDeprecation } from "../../../core/routes/deprecation.ts"
import { compilePath } from "../../../core/routes/path.ts"
import type { Deprecation } from "../../../core/plugin.ts"
import { password } from "../../support/builder.ts"
import { linkOf } from "../../support/polling/link.ts"
import { runCommand } from "../../support/run-command.ts"
import { freshWorkshop, type Workshop } from "../../support/service.ts"

const since = "2027-01-01"
const sunset = "2027-07-01"
const successor = "/new/v1/events/:eventId/guests"
const headers = {
  "deprecation": new RegExp(`^@${Date.parse(since) / 1000}$`),
  "sunset": /^Thu, 01 Jul 2027 00:00:00 GMT$/,
}

/** A family of which one list and two handlers are deprecated, and their successors are not. */
const source = (deprecation: Deprecation | undefined) =>
  `import { definePlugin, deprecated, granted, guests, handler, leanGuest, listing, Problem, signedIn, v }
  from "event-export/plugin"
const auth = granted(["acme"])
const ping = (path) => handler("GET", path, {
  auth: signedIn,
  handle: () => { throw new Problem("not_found", "Gone.") },
})
const list = listing("/v1/events/:eventId/guests", guests, { auth, project: leanGuest })
export default definePlugin({
  apiVersion: 2, name: "retired", summary: "Retired", settings: v.strictObject({}),
  mount: () => [
    { prefix: "/old", routes: [
      ${deprecation ? `deprecated(${JSON.stringify(deprecation)}, list)` : "list"},
      deprecated({ since: "${since}", sunset: "${sunset}" }, ping("/ping")),
      deprecated({ since: "${since}", sunset: "${sunset}", successor: "/new/ping/:name" },
        ping("/ping/:name")),
    ] },
    { prefix: "/new", routes: [list, ping("/ping/:name")] },
  ],
})`

t.test("every response of a deprecated route says so", async (t) => {
  const { get, event, request } = await served(t, { since, sunset, successor })
  const old = `/old/v1/events/${event}/guests`
  const successorLink = `<http://localhost/new/v1/events/${event}/guests>; rel="successor-version"`

  const first = await get(`${old}?limit=2`)
  t.equal(first.status, 200)
  t.match(Object.fromEntries(first.headers), headers)
  const link = first.headers.get("link") ?? ""
  t.match(link, /^<[^>]+\?cursor=[^>]+>; rel="next", </)
  t.ok(link.endsWith(`, ${successorLink}`), link)

  let pages = 1
  let last = first
  for (let next = linkOf(first); next; next = linkOf(last), pages++) last = await get(next)
  t.equal(pages, 3, "a walk goes by rel=next to its end")
  t.equal(last.headers.get("link"), successorLink)

  const others: Record<string, [Response, number]> = {
    "unchanged": [await get(old, { headers: { "if-none-match": "*" } }), 304],
    "HEAD": [await get(old, { method: "HEAD" }), 200],
    "a bad parameter": [await get(`${old}?limit=0`), 400],
    "an unknown event": [
      await get(`/old/v1/events/${crypto.randomUUID()}/guests`),
      404,
    ],
  }
  for (const [name, [response, status]] of Object.entries(others)) {
    t.equal(response.status, status, name)
    t.match(Object.fromEntries(response.headers), headers, name)
    t.match(response.headers.get("link"), /rel="successor-version"$/, name)
  }

  const stranger = await request(old)
  t.equal(stranger.status, 401)
  t.match(Object.fromEntries(stranger.headers), { deprecation: undefined, sunset: undefined })

  const unreadable = await get("/old/v1/events/%ff/guests")
  t.equal(unreadable.status, 400)
  t.match(Object.fromEntries(unreadable.headers), { ...headers, link: undefined })
  const ping = await get("/old/ping")
  t.equal(ping.status, 404)
  t.match(Object.fromEntries(ping.headers), { ...headers, link: undefined })
  const escaped = "%2F..%2F%3E%3B%20%C3%A4"
  t.equal(
    (await get(`/old/ping/${escaped}`)).headers.get("link"),
    `<http://localhost/new/ping/${escaped}>; rel="successor-version"`,
  )

  const fresh = await get(`/new/v1/events/${event}/guests`)
  t.equal(fresh.status, 200)
  t.match(Object.fromEntries(fresh.headers), { deprecation: undefined, sunset: undefined })
})

t.test("GET /openapi.json marks deprecated routes", async (t) => {
  const { get } = await served(t, { since, sunset, successor })
  const { paths, components } = await (await get("/openapi.json")).json()
  const { get: old } = paths["/old/v1/events/{eventId}/guests"]
  t.match(old, {
    "deprecated": true,
    "x-sunset": sunset,
    "description":
      /Deprecated since 2027-01-01, may be removed from 2027-07-01 on; use \/new\/v1\/events\/\{eventId\}\/guests\.$/,
    "responses": { 200: { headers: { Deprecation: Object, Sunset: Object, Link: Object } } },
  })
  const headersOf = (status: number) =>
    components.responses[old.responses[status].$ref.split("/").at(-1)].headers
  t.match(headersOf(403), { Deprecation: Object, Link: Object })
  t.match(headersOf(401), { Deprecation: undefined, Link: undefined })
  t.equal(paths["/new/v1/events/{eventId}/guests"].get.deprecated, undefined)
})

t.test("routes, check and check --against report deprecated routes", async (t) => {
  const workshop = await freshWorkshop(t)
  const configure = (name: string, deprecation?: Deprecation) => {
    write(workshop, name, deprecation)
    const file = join(workshop.folder, `${name}.yaml`)
    copyFileSync(workshop.file, file)
    return file
  }
  const before = configure("before")
  const after = configure("after", { since, sunset, successor })
  const past = { since: "2020-01-01", sunset: "2021-01-01", successor: "/nowhere" }
  const overdue = configure("overdue", past)
  const path = "/old/v1/events/:eventId/guests"
  const words = `deprecated since ${since}, may be removed from ${sunset} on`

  const { out } = await runCommand(`-c ${after} routes`)
  t.match(out, new RegExp(`^GET +${path} .* ${words}; use ${successor}$`, "m"))
  t.match(out, new RegExp(`^GET +/old/ping .* ${words}$`, "m"))
  t.match(await runCommand(`-c ${after} check`), {
    code: 0,
    err: /^warning: organization acme: [^\n]*$/,
  })
  const { err } = await runCommand(`-c ${overdue} check`)
  t.match(err, `warning: GET ${path}: it is deprecated and past its sunset, 2021-01-01: remove it.`)
  t.match(err, `warning: GET ${path}: it is deprecated, and its successor /nowhere does not exist.`)

  const changes = async (from: string, to: string) =>
    (await runCommand(`-c ${to} check --against ${from}`)).out
  t.match(await changes(before, after), `~ GET ${path}: ${words}; use ${successor}`)
  t.match(await changes(after, before), `~ GET ${path}: is no longer deprecated`)
  t.match(await changes(after, overdue), `~ GET ${path}: deprecated since 2020-01-01`)
  t.match(await changes(after, after), "nothing that partners see")
})

const pattern = compilePath("/old/v1/events/:eventId/guests")
const nonsense: Record<string, [Deprecation, RegExp]> = {
  "a since that is no day": [{ since: "soon", sunset }, /since must be a day/],
  "a day that no calendar has": [{ since: "2027-02-30", sunset }, /since must be a day/],
  "a sunset with a time": [{ since, sunset: "2027-12-01T00:00:00Z" }, /sunset must be a day/],
  "a sunset before since": [{ since, sunset: "2026-12-31" }, /180 days after since/],
  "a sunset too soon": [{ since, sunset: "2027-06-29" }, /180 days after since/],
  "a successor that is no path": [{ since, sunset, successor: "v2" }, /must be a path/],
  "a successor elsewhere": [{ since, sunset, successor: "//evil.example/x" }, /must be a path/],
  "a successor that wants more": [{ since, sunset, successor: "/x/:guestId" }, /has :guestId/],
}
for (const [name, [deprecation, reason]] of Object.entries(nonsense)) {
  t.test(`mounting refuses ${name}`, async (t) => {
    t.throws(() => refuseBadDeprecation(deprecation, pattern), reason)
    const workshop = await freshWorkshop(t)
    write(workshop, "nonsense", deprecation)
    t.match(await runCommand(`-c ${workshop.file} check`), { code: 2, err: reason })
  })
}

t.test("mounting accepts a sunset 180 days after since", (t) => {
  refuseBadDeprecation({ since, sunset: "2027-06-30", successor: "/x/:eventId" }, pattern)
  t.end()
})

t.test("isPastSunset: the day of the sunset begins at midnight in UTC", (t) => {
  const midnight = Date.UTC(2027, 6, 1)
  t.equal(isPastSunset({ since, sunset }, midnight - 1), false)
  t.equal(isPastSunset({ since, sunset }, midnight), true)
  t.end()
})

/** Configures the family, deprecated or not. */
function write(workshop: Workshop, name: string, deprecation?: Deprecation): void {
  writeFileSync(join(workshop.folder, `${name}.ts`), source(deprecation))
  workshop.write(`  - use: openapi\n  - use: ./${name}.ts`)
}

/** The service with the family, and an event of five guests. */
async function served(t: Test, deprecation: Deprecation) {
  const workshop = await freshWorkshop(t)
  write(workshop, "retired", deprecation)
  const { build } = workshop
  const event = await build.event(await build.organization("acme"))
  await build.guests(event, 5)
  await build.account("partner")
  await build.grant("partner", { organization: "acme" })
  const service = await workshop.start()
  const request = (path: string, init?: RequestInit) =>
    service.fetch(new Request(`http://localhost${path}`, init))
  const logIn = await request("/session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "partner", password }),
  })
  const [cookie = ""] = (logIn.headers.getSetCookie()[0] ?? "").split(";")
  const get = (path: string, init: RequestInit = {}) =>
    request(path, { ...init, headers: { ...init.headers as Record<string, string>, cookie } })
  return { event, get, request }
}
