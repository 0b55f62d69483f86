import { measure } from "../support/metrics.ts"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import t from "tap"
import { past } from "../support/builder.ts"
import { onEmbedded } from "../support/database.ts"
import { readExport } from "../support/export-reader.ts"
import { usedOf } from "../support/quota.ts"
import { freshWorkshop, logInto } from "../support/service.ts"

// Two features at once: each has tests of its own, which use it alone.

const plugins = `  - use: connector-b
    with: { segment: b, organizations: [acme] }
  - use: ./rewriting.ts`

/** A family whose records depend on more than the database. */
const rewriting =
  `import { definePlugin, granted, guests, leanGuest, listing, rewritten, v } from "event-export/plugin"
let made = 0
const project = rewritten(leanGuest, leanGuest.schema, (guest) => ({ ...guest, mobile: String(++made) }))
const masked = rewritten(leanGuest, leanGuest.schema, (guest) => ({ ...guest, mobile: "hidden" }))
export default definePlugin({
  apiVersion: 3, name: "rewriting", summary: "Rewriting", settings: v.strictObject({}),
  mount: () => ({ prefix: "/r/v1", routes: [
    listing("/events/:eventId/guests", guests, { auth: granted(["acme"]), project }),
    listing("/events/:eventId/masked", guests, { auth: granted(["acme"]), project: masked }),
  ] }),
})`

/** More than what waits to be sent: without a reader, an export of so many stops in the middle. */
const many = 7000

await onEmbedded(t, async (t, engine) => {
  const workshop = await freshWorkshop(t, engine)
  const { build } = workshop
  const organization = await build.organization("acme")
  for (const name of ["partner", "other", "third"]) {
    await build.account(name)
    await build.grant(name, { organization: "acme" })
  }
  const large = await build.event(organization)
  await build.guests(large, many)
  writeFileSync(join(workshop.folder, "rewriting.ts"), rewriting)
  const quota = 40
  const limits = `limits: { burst: 1000, quota: ${quota}, concurrent: 10 }`
  workshop.write(plugins, limits)
  const service = await workshop.start()
  const logIn = (name: string) => logInto(service.fetch, name)
  const of = `/b/v1/events/${large}/guests`
  const used = (response: Response) => usedOf(response, quota)
  const held = async (count: number) => {
    while (await measure(service.instance, "requests_held") !== count) await setTimeout(5)
  }

  await t.test("a wait costs one request of the quota, a tenth if nothing has changed", async (t) => {
    const event = await build.event(organization)
    const get = await logIn("other")
    const path = `/b/v1/events/${event}/guests`
    const first = await get(path)
    const headers = { "if-none-match": first.headers.get("etag") ?? "", prefer: "wait=1" }
    const before = used(first)
    for (let n = 0; n < 2; n++) t.equal((await get(path, headers)).status, 304)
    const between = used(await get(path))
    t.ok(Math.abs(between - before - 1.2) < 0.15, `two tenths, and this one: ${between - before}`)
    const waiting = get(path, { ...headers, prefer: "wait=50" })
    await held(1)
    await build.guest(event)
    t.equal((await waiting).status, 200)
    t.equal(Math.round(used(await waiting) - between), 1)
  })

  await t.test("a wait for a page of CSV ends with CSV, and a tag of JSON does not wait for it", async (t) => {
    const event = await build.event(organization)
    const get = await logIn("other")
    const path = `/b/v1/events/${event}/guests`
    const tagOf = async (accept: string) => {
      const response = await get(path, { accept })
      await response.text()
      return response.headers.get("etag") ?? ""
    }
    const [json, csv] = [await tagOf("application/json"), await tagOf("text/csv")]
    const prefer = "wait=50"
    const other = await get(path, { accept: "text/csv", "if-none-match": json, prefer })
    t.equal(other.status, 200)
    const waiting = get(path, { accept: "text/csv", "if-none-match": csv, prefer })
    await held(1)
    const id = await build.guest(event)
    const response = await waiting
    t.match(response.headers.get("content-type"), "text/csv")
    t.match((await response.text()).split("\r\n")[1], id)
  })

  await t.test("a rewritten record is made anew for each response, however often it was read", async (t) => {
    const event = await build.event(organization)
    await build.guests(event, 3)
    const get = await logIn("other")
    const seen = new Set<string>()
    // The page cache keeps pages, by their since.
    for (let since = 0; since < 4; since++) {
      const response = await get(`/r/v1/events/${event}/guests?since=${since}`)
      const mobiles = (await response.json()).map(({ mobile }: { mobile: string }) => mobile)
      t.ok(mobiles.every((mobile: string) => /^\d+$/.test(mobile)))
      for (const mobile of mobiles) seen.add(mobile)
    }
    t.equal(seen.size, 12)
    const plain = await (await get(`/b/v1/events/${event}/guests`)).json()
    t.match(plain[0], { mobile: "+44 20 7946 0000" }, "no other family gets them")
  })

  await t.test("a tag of rewritten records stands for what follows the page as well, in each form", async (t) => {
    const get = await logIn("other")
    for (const accept of ["application/json", "text/csv", "application/x-ndjson"]) {
      const event = await build.event(organization)
      for (const age of [0, 10, 20]) await build.guest(event, { updated: past - age })
      const ask = async (since: number, tag = "") => {
        const path = `/r/v1/events/${event}/masked?since=${since}&limit=1`
        const response = await get(path, { accept, "if-none-match": tag })
        const text = await response.text()
        return { status: response.status, text, etag: response.headers.get("etag") ?? "" }
      }
      const first = await ask(past - 10)
      t.equal((await ask(past - 10, first.etag)).status, 304, accept)
      const earlier = await ask(past - 20, first.etag)
      t.match(
        earlier,
        { status: 200, text: first.text },
        "more records follow from an earlier since",
      )
      await build.guest(event, { updated: past - 5 })
      const later = await ask(past - 10, first.etag)
      t.match(later, { status: 200, text: first.text }, "a record was added to a later page")
    }
  })

  await t.test("an export that a reload ends goes on in the new configuration, and none is lost or twice", async (t) => {
    const get = await logIn("partner")
    const running = await get(`${of}/export`)
    workshop.write(plugins, `${limits}\npolling: { wait: 7 }`)
    const reload = service.reload("a test")
    const parts = [readExport(await running.text())]
    t.match(await reload, { result: "applied" })
    while (parts.at(-1)?.next) {
      const path = parts.at(-1)?.next?.replace("http://localhost", "") ?? ""
      parts.push(readExport(await (await get(path)).text()))
    }
    const ids = parts.flatMap(({ rows }) => rows.map(({ id }) => id))
    t.equal(ids.length, many)
    t.equal(new Set(ids).size, many)
  })
})
