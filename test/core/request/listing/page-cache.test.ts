import { Buffer } from "node:buffer"
import { setTimeout } from "node:timers/promises"
import t, { type Test } from "tap"
import { lookUpAdmission } from "../../../../core/access/admission.ts"
import { insertSession } from "../../../../core/access/sessions.ts"
import { ChangeLog } from "../../../../core/change-log/change-log.ts"
import { migrate } from "../../../../core/data/migrate.ts"
import { Unavailable } from "../../../../core/data/unavailable.ts"
import type { Schema } from "../../../../core/data/schema.ts"
import { oneNode } from "../../../../core/request/nodes.ts"
import { Problem } from "../../../../core/http/problems.ts"
import { EntityTags } from "../../../../core/http/representation.ts"
import { startInstance } from "../../../../core/kernel/instance.ts"
import { readInput } from "../../../../core/request/authorize.ts"
import { receive } from "../../../../core/request/incoming-request.ts"
import { PageCache } from "../../../../core/request/listing/page-cache.ts"
import type { PageLookup } from "../../../../core/request/listing/live-pages.ts"
import type { List } from "../../../../core/records/list.ts"
import type { PageRequest } from "../../../../core/records/page.ts"
import { RouteTable } from "../../../../core/request/route-table.ts"
import { generous, testConfig } from "../../../support/app.ts"
import { Builder } from "../../../support/builder.ts"
import { copiedUrl, type Engine, onEmbedded, openFor } from "../../../support/database.ts"
import { logInto } from "../../../support/service.ts"

/** The parts of a request that a page depends on. Lines are for exports, and the others are ways to find it. */
type Part = Exclude<keyof PageRequest, "asLines" | "cached" | "cut">

/** Another value of each part than in the requests of `freshCache`. A new part has to be here, and in the key. */
const other: Readonly<Required<Pick<PageRequest, Part>>> = {
  since: 0,
  offset: 1,
  limit: 1,
  terms: ["ann"],
  bucket: "a",
  hash: "a",
  category: "tickets",
  of: "content",
  after: {},
}

await onEmbedded(t, async (t, engine) => {
  await t.test("requests for the same page at the same time are read once", async (t) => {
    const { get, guests, pagesRead } = await serve(t, engine, 64)
    const bodies = await Promise.all(
      Array.from({ length: 20 }, async () => await (await get(guests)).json()),
    )
    for (const body of bodies) t.equal(body.length, 3)
    t.ok(pagesRead() < 20, `${pagesRead()} readings`)
  })

  await t.test("what one caller was sent is never sent to one who may not read it", async (t) => {
    const { get, guests, build, instance } = await serve(t, engine, 64)
    t.equal((await get(guests)).status, 200)
    t.equal((await get(guests)).status, 200)
    await build.account("eve")
    const strange = await logInto(instance.fetch, "eve")
    t.equal((await strange(guests)).status, 404)
  })

  await t.test("PageCache: who waits for another's read does not get the other's refusal", async (t) => {
    for (const bytes of [64_000_000, 0]) {
      const { cache, ask, revoke } = await freshCache(t, engine, bytes)
      const [eve, ann] = [await ask("eve"), await ask("ann")]
      await revoke("eve")
      // Without versions, the third of them shares the read of the second.
      const outcomes = await Promise.allSettled([eve, eve, ann].map((one) => cache.find(one)))
      t.match(outcomes, [
        { status: "rejected", reason: { code: "event_not_found" } },
        { status: "rejected", reason: { code: "event_not_found" } },
        { status: "fulfilled", value: { rows: 3 } },
      ], `${bytes} bytes of cache`)
    }
  })

  await t.test("PageCache: who waits for a read that finds a later version is checked again", async (t) => {
    const { cache, ask, revoke, build, event } = await freshCache(t, engine, 64_000_000)
    const [ann, eve] = [await ask("ann"), await ask("eve")]
    await revoke("eve")
    await build.guests(event, 1)
    // The third shares what the second reads.
    const outcomes = await Promise.allSettled([ann, ann, eve].map((one) => cache.find(one)))
    t.match(outcomes, [
      { status: "fulfilled", value: { rows: 4 } },
      { status: "fulfilled", value: { rows: 4 } },
      { status: "rejected", reason: { code: "event_not_found" } },
    ])
  })

  await t.test("PageCache: a read that the database could not answer is tried again", async (t) => {
    for (const bytes of [64_000_000, 0]) {
      const { cache, ask, database } = await freshCache(t, engine, bytes)
      const ann = await ask("ann")
      const { snapshot } = database
      database.snapshot = () => Promise.reject(new Unavailable("it was away for a moment"))
      await t.rejects(cache.find(ann), Unavailable)
      database.snapshot = snapshot
      t.match(await cache.find(ann), { rows: 3 }, `${bytes} bytes of cache`)
    }
  })

  await t.test("PageCache: pages have no tag while changes may go unnoticed", async (t) => {
    const { cache, ask } = await freshCache(t, engine, 64_000_000)
    const ann = await ask("ann")
    const later = { ...ann, query: { ...ann.query, since: Math.floor(Date.now() / 1000) + 60 } }
    const tags = async () =>
      [(await cache.find(ann)).etag, (await cache.find(later)).etag].map((tag) => typeof tag)
    t.strictSame(await tags(), ["string", "string"])
    t.intercept(ann.node.changes, "isBlind", { value: true })
    t.strictSame(await tags(), ["undefined", "undefined"])
  })

  await t.test("PageCache: a page is in a slab for one request only", async (t) => {
    for (const bytes of [64_000_000, 0]) {
      const { cache, ask, build, event } = await freshCache(t, engine, bytes)
      await build.guests(event, 300)
      const ann = await ask("ann")
      const [first, second, third] = await Promise.all(
        [ann, ann, ann].map((one) => cache.find(one)),
      )
      t.ok(first?.slab && !first.slab.isGone, "nobody else gets what is read first")
      t.equal(second?.slab, undefined)
      t.equal(second?.bytes, third?.bytes, "they share what is read next")
      t.ok(first?.bytes.byteLength && first.bytes.byteLength === second?.bytes.byteLength)
      const next = await cache.find(ann)
      t.equal(next.bytes === second?.bytes, bytes > 0 && second?.etag !== undefined)
    }
  })

  await t.test("PageCache: a page of more than 32 kB is cached when it is asked for again", async (t) => {
    const { cache, ask, build, event } = await freshCache(t, engine, 64_000_000)
    await build.guests(event, 300)
    const ann = await ask("ann")
    const pages = [await cache.find(ann), await cache.find(ann), await cache.find(ann)]
    t.strictSame(pages.map(({ slab }) => slab !== undefined), [true, false, false])
    t.equal(pages[1]?.bytes, pages[2]?.bytes)
    t.not(pages[0]?.bytes, pages[1]?.bytes)
    t.same(Buffer.from(pages[0]?.bytes ?? ""), Buffer.from(pages[2]?.bytes ?? "."))
  })

  await t.test("PageCache.inForm gives the slab of a page back", async (t) => {
    const { cache, ask, build, event } = await freshCache(t, engine, 64_000_000)
    await build.guests(event, 300)
    const form = { tag: "x", headers: {}, write: (body: unknown) => `${(body as []).length}` }
    const page = await cache.find(await ask("ann"))
    const formed = cache.inForm(page, form)
    t.equal(Buffer.from(formed.bytes).toString(), "303")
    t.strictSame([formed.slab, page.slab?.isGone], [undefined, true])
  })

  await t.test("PageCache: pages that differ in any part of a request are kept apart, each once", async (t) => {
    const { cache, ask } = await freshCache(t, engine, 64_000_000)
    const ann = await ask("ann")
    const read: string[] = []
    const ofPart = (part: string): PageLookup => {
      const list: List = {
        ...ann.route.list,
        read() {
          read.push(part)
          return Promise.resolve({ body: [part], next: {} })
        },
      }
      const query = part === "none" ? ann.query : { ...ann.query, [part]: other[part as Part] }
      return { ...ann, query, route: { ...ann.route, list } }
    }
    const parts = ["none", ...Object.keys(other)]
    for (const part of [...parts, ...parts]) {
      const { bytes } = await cache.find(ofPart(part))
      t.equal(Buffer.from(bytes).toString(), JSON.stringify([part]))
    }
    t.strictSame(read, parts, "each is read once")
  })

  await t.test("families keep their pages apart", async (t) => {
    const { get, event, build, instance } = await serve(t, engine, 64)
    await build.account("acme-export", "service")
    await build.grant("acme-export", { organization: "acme" })
    const service = await logInto(instance.fetch, "acme-export")
    for (const _ of [1, 2]) {
      const [lean] = await (await get(`/connector-b/v1/events/${event}/guests?since=-1`)).json()
      const [full] = await (await service(`/acme/v1/events/${event}/guests?since=-1`)).json()
      t.strictSame(["externalId" in lean, "externalId" in full], [false, true])
    }
  })

  await t.test("polls that find nothing new keep the log of the event short, too", async (t) => {
    const { build, event, get, statements } = await serve(t, engine, 64)
    await build.guests(event, 200)
    const poll = `/connector-b/v1/events/${event}/guests?since=${
      Math.floor(Date.now() / 1000) + 60
    }`
    t.strictSame(await (await get(poll)).json(), [])
    while (!statements.some((sql) => /^(insert into|update) .event_version/.test(sql))) {
      await setTimeout(10)
    }
    t.pass("it is folded")
  })

  await t.test("cache.pages bounds the megabytes of all pages together", async (t) => {
    const { build, event, get, pagesRead } = await serve(t, engine, 1)
    await build.guests(event, 900)
    const readings = async (since: number) => {
      const before = pagesRead()
      const body = await (await get(`/connector-b/v1/events/${event}/guests?since=${since}`)).text()
      t.ok(body.length > 300_000 && body.length < 600_000, `${body.length} bytes`)
      return pagesRead() - before
    }
    // So many changes are folded in the background.
    while (await readings(0) > 0) await setTimeout(10)
    t.equal(await readings(0), 0, "one page fits")
    for (const since of [1, 1, 2, 2, 3, 3]) await readings(since)
    t.equal(await readings(0), 1, "it has given way to later pages")
  })

  await t.test("cache.pages 0 keeps nothing", async (t) => {
    const { get, guests, pagesRead } = await serve(t, engine, 0)
    for (const _ of [1, 2, 3]) t.equal((await (await get(guests)).json()).length, 3)
    t.equal(pagesRead(), 3)
  })
})

/** Makes a page cache of its own, and requests of two accounts for the same page that were admitted. */
async function freshCache(t: Test, engine: Engine, bytes: number) {
  const url = await copiedUrl(t, engine)
  const database = await openFor(t, url)
  await migrate(database)
  const build = new Builder(database)
  const event = await build.event(await build.organization("acme"))
  await build.guests(event, 3)
  const accounts: Record<string, string> = {}
  for (const name of ["ann", "eve"]) {
    accounts[name] = await build.account(name)
    await build.grant(name, { event })
  }
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
  const changes = await ChangeLog.open(database, { log, isLogged: true })
  t.teardown(() => changes.close())
  const tags = new EntityTags(["a secret"])
  const cache = new PageCache({ tags, bytes })
  const node = oneNode(database, changes).best
  const { routes } = await testConfig(url)
  const request = new Request(`http://localhost/connector-b/v1/events/${event}/guests?since=-1`)
  const ask = async (name: string) => {
    const incoming = receive(request, { address: "192.0.2.1" }, { keepLaps: false })
    const match = new RouteTable(routes, []).find("GET", incoming.url.pathname)
    if (match instanceof Problem || match.route.kind !== "listing") throw new TypeError("no list")
    const input = readInput(match, incoming.url.search)
    const account = accounts[name] ?? ""
    const key = { session: await insertSession(database, account, 60), epoch: 0, account }
    const tables: (keyof Schema)[] = ["guest"]
    const question = { key, idle: 0, address: "192.0.2.1", eventId: event, tables }
    const admission = await database.readOnce((reader) => lookUpAdmission(reader, question))
    const query = input.query?.value
    if (!admission || !query) throw new TypeError("it was not admitted")
    return {
      route: match.route,
      incoming,
      input,
      question,
      admission,
      query,
      node,
      nextSince: 0,
      watermark: undefined,
      steps: [],
      assertFit: () => Promise.resolve(),
      lookUp: () => Promise.reject(new TypeError("nothing is in memory")),
    }
  }
  const revoke = async (name: string) => {
    await database.writer.deleteFrom("access_grant")
      .where("account_id", "=", accounts[name] ?? "").execute()
  }
  return { build, database, event, cache, ask, revoke }
}

async function serve(t: Test, engine: Engine, megabytes: number) {
  const url = await copiedUrl(t, engine)
  const database = await openFor(t, url)
  await migrate(database)
  const build = new Builder(database)
  const event = await build.event(await build.organization("acme"))
  await build.guests(event, 3)
  await build.account("ann")
  await build.grant("ann", { organization: "acme" })
  const config = await testConfig(url)
  const statements: string[] = []
  const instance = await startInstance(
    { ...config, limits: generous, cache: { pages: megabytes, records: 0 } },
    {
      log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
      onStatement: (sql) => statements.push(sql),
    },
  )
  t.teardown(() => instance.close())
  const get = await logInto(instance.fetch, "ann")
  statements.length = 0
  const guests = `/connector-b/v1/events/${event}/guests?since=-1`
  // Not by transactions: the background has its own.
  const pagesRead = () => statements.filter((sql) => /from .guest. as .record./.test(sql)).length
  return { build, event, get, guests, instance, statements, pagesRead }
}
