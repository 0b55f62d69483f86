import { Buffer } from "node:buffer"
import { setTimeout } from "node:timers/promises"
import t, { type Test } from "tap"
import { type GrantedEvent, lookUpAdmission } from "../../../../core/access/admission.ts"
import { insertSession } from "../../../../core/access/sessions.ts"
import { ChangeLog } from "../../../../core/change-log/change-log.ts"
import { Unavailable } from "../../../../core/data/unavailable.ts"
import type { Schema } from "../../../../core/data/schema.ts"
import { oneNode } from "../../../../core/request/nodes.ts"
import { Problem } from "../../../../core/http/problems.ts"
import { startInstance } from "../../../conformance/instance.ts"
import { readInput } from "../../../../core/request/authorize.ts"
import { receive } from "../../../../core/request/incoming-request.ts"
import { Lists } from "../../../../core/request/listing/answer-list.ts"
import { Cursors } from "../../../../core/request/listing/cursor.ts"
import { PageTags } from "../../../../core/request/listing/page-tags.ts"
import type { PageLookup } from "../../../../core/request/listing/page.ts"
import { Pages } from "../../../../core/request/listing/pages.ts"
import type { List } from "../../../../core/records/lists/list.ts"
import type { PageRequest } from "../../../../core/records/lists/page.ts"
import { Walks } from "../../../../core/request/listing/walks.ts"
import { RouteTable } from "../../../../core/request/route-table.ts"
import { generous, secret, testConfig } from "../../../support/app.ts"
import { Builder } from "../../../support/builder.ts"
import { copiedUrl, type Engine, onEmbedded, openFor } from "../../../support/database.ts"
import { scannedLog } from "../../../support/scanned-log.ts"
import { logInto } from "../../../support/service.ts"

/** The parts of a request that a page depends on. Lines are for exports. */
type Part = Exclude<keyof PageRequest, "asLines">

/** Another value of each part than in the requests of `fresh`. A new part has to be here, and in the key. */
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
  const { build, config, database, fresh, serve } = await stage(t, engine)

  await t.test("who waits for another's read does not get the other's refusal", async (t) => {
    for (const bytes of [64_000_000, 0]) {
      const { cache, ask, revokeEve } = await fresh(bytes)
      const [eve, ann] = [await ask("eve"), await ask("ann")]
      await revokeEve()
      // Without versions, the third of them shares the read of the second.
      const outcomes = await Promise.allSettled([eve, eve, ann].map((one) => cache.find(one)))
      t.match(outcomes, [
        { status: "rejected", reason: { code: "event_not_found" } },
        { status: "rejected", reason: { code: "event_not_found" } },
        { status: "fulfilled", value: { rows: 3 } },
      ], `${bytes} bytes of cache`)
    }
  })

  await t.test("who waits for a read that finds a later version is checked again", async (t) => {
    const { cache, ask, revokeEve, event } = await fresh(64_000_000)
    const [ann, eve] = [await ask("ann"), await ask("eve")]
    await revokeEve()
    await build.guests(event, 1)
    // The third shares what the second reads.
    const outcomes = await Promise.allSettled([ann, ann, eve].map((one) => cache.find(one)))
    t.match(outcomes, [
      { status: "fulfilled", value: { rows: 4 } },
      { status: "fulfilled", value: { rows: 4 } },
      { status: "rejected", reason: { code: "event_not_found" } },
    ])
  })

  await t.test("a read that the database could not answer is tried again", async (t) => {
    for (const bytes of [64_000_000, 0]) {
      const { cache, ask } = await fresh(bytes)
      const ann = await ask("ann")
      const { snapshot } = database
      database.snapshot = () => Promise.reject(new Unavailable("it was away for a moment"))
      await t.rejects(cache.find(ann), Unavailable)
      database.snapshot = snapshot
      t.match(await cache.find(ann), { rows: 3 }, `${bytes} bytes of cache`)
    }
  })

  await t.test("a page is kept as of a version, and its forms with it", async (t) => {
    for (const bytes of [64_000_000, 0]) {
      const { cache, ask, event } = await fresh(bytes)
      const form = { tag: "x", headers: {}, write: (body: unknown) => `${(body as []).length}` }
      const ann = await ask("ann")
      const [one, same] = [await cache.find(ann), await cache.find(ann)]
      t.equal(one.bytes === same.bytes, bytes > 0)
      const formed = cache.inForm(one, form, ann)
      t.equal(Buffer.from(formed.bytes).toString(), "3")
      t.equal(cache.inForm(same, form, ann).bytes === formed.bytes, bytes > 0)
      await build.guests(event, 1)
      const later = await ask("ann")
      const page = await cache.find(later)
      t.equal(page.rows, 4)
      t.equal(Buffer.from(cache.inForm(page, form, later).bytes).toString(), "4")
    }
  })

  await t.test("the memory of a page is given back once it has another form, which does not hold it", async (t) => {
    const { cache, ask } = await fresh(64_000_000)
    const ann = await ask("ann")
    const form = { tag: "x", headers: {}, write: () => "formed" }
    const page = await cache.find(ann)
    let released = 0
    const formed = cache.inForm({ ...page, release: () => void released++ }, form, ann)
    t.strictSame([Buffer.from(formed.bytes).toString(), formed.release, released], [
      "formed",
      undefined,
      1,
    ])
    cache.inForm({ ...page, release: () => void released++ }, form, ann)
    t.equal(released, 2, "also if it was kept in that form")
  })

  await t.test("with several servers, no page of records has a tag, also of a list whose newest record is not known", async (t) => {
    const { cache, ask } = await fresh(64_000_000)
    const walks = new Walks(new Cursors([secret]), { ...config.polling, accounts: {} })
    const lists = new Lists({ pages: cache, tags: new PageTags([secret], "1"), walks })
    const ann = await ask("ann")
    const { now } = ann.admission.session
    const tagOf = async (
      floor: number | null,
      { emptyBody }: { readonly emptyBody?: string } = {},
    ) => {
      const heartbeat = { at: now, watermark: now, floor, steps: [], isReadOnly: false }
      const event = { ...ann.admission.event as GrantedEvent, newest: null }
      const list = { ...ann.route.list, emptyBody }
      const { headers } = await lists.answer({
        ...ann,
        route: { ...ann.route, list },
        admission: { ...ann.admission, event, heartbeat },
      })
      return headers["etag"]
    }
    t.type(await tagOf(null), "string")
    t.equal(await tagOf(now), undefined)
    t.type(await tagOf(now, { emptyBody: "[]" }), "string", "an empty one has")
  })

  await t.test("pages that differ in any part of a request are kept apart, each once", async (t) => {
    const { cache, ask } = await fresh(64_000_000)
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

  await t.test("requests for the same page at the same time are read once", async (t) => {
    const { get, guests, readings } = await serve(64)
    const before = readings()
    const ask = async () => (await (await get(guests)).json()).length
    t.strictSame(await Promise.all(Array.from({ length: 20 }, ask)), Array(20).fill(3))
    t.ok(readings() - before < 20)
  })

  await t.test("families keep their pages apart, and nobody is sent what only others may read", async (t) => {
    const { get, guests, event, instance } = await serve(64)
    await build.account("acme-export", "service")
    await build.grant("acme-export", { event })
    await build.account("stranger")
    const service = await logInto(instance.fetch, "acme-export")
    const stranger = await logInto(instance.fetch, "stranger")
    for (const _ of [1, 2]) {
      const [lean] = await (await get(guests)).json()
      const [full] = await (await service(guests.replace("connector-b", "acme"))).json()
      t.strictSame(["externalId" in lean, "externalId" in full], [false, true])
      t.equal((await stranger(guests)).status, 404)
    }
  })

  await t.test("polls that find nothing new keep the log of the event short, too", {
    skip: engine === "mysql" && "it is folded up to what looks at the log have settled",
  }, async (t) => {
    const { event, get, guests, statements } = await serve(64)
    await build.guests(event, 200)
    statements.length = 0
    const later = Math.floor(Date.now() / 1000) + 60
    t.strictSame(await (await get(guests.replace("=-1", `=${later}`))).json(), [])
    while (!statements.some((sql) => /^(insert into|update) .event_version/.test(sql))) {
      await setTimeout(10)
    }
  })

  await t.test("cache.pages bounds the megabytes of all pages together", async (t) => {
    const { event, get, guests, readings } = await serve(1)
    await build.guests(event, 900)
    const readSince = async (since: number) => {
      const before = readings()
      const body = await (await get(guests.replace("=-1", `=${since}`))).text()
      t.ok(body.length > 300_000 && body.length < 600_000, `${body.length} bytes`)
      return readings() - before
    }
    // So many changes are folded in the background.
    while (await readSince(0) > 0) await setTimeout(10)
    t.equal(await readSince(0), 0, "one page fits")
    for (const since of [1, 1, 2, 2, 3, 3]) await readSince(since)
    t.equal(await readSince(0), 1, "it has given way to later pages")
  })
})

/** A database, on which each call makes a cache or a service of its own, with an event that two accounts may read. */
async function stage(t: Test, engine: Engine) {
  const url = await copiedUrl(t, engine)
  const database = await openFor(t, url)
  const build = new Builder(database)
  const organization = await build.organization("acme")
  const accounts = { ann: await build.account("ann"), eve: await build.account("eve") }
  const changes = await ChangeLog.open(database, { log: scannedLog(t, []) })
  t.teardown(() => changes.close())
  const node = oneNode(database, changes).best
  const config = await testConfig(url)
  const routes = new RouteTable(config.routes)

  const freshEvent = async () => {
    const event = await build.event(organization)
    await build.guests(event, 3)
    for (const name of ["ann", "eve"]) await build.grant(name, { event })
    return { event, guests: `/connector-b/v1/events/${event}/guests?since=-1` }
  }

  const fresh = async (bytes: number) => {
    const { event, guests } = await freshEvent()
    const cache = new Pages(bytes)
    /** Admits a request. */
    const ask = async (name: keyof typeof accounts) => {
      const request = new Request(`http://localhost${guests}`)
      const incoming = receive(request, { address: "192.0.2.1" })
      const match = routes.find("GET", incoming.url.pathname)
      if (match instanceof Problem || match.route.kind !== "listing") throw new TypeError("no list")
      const input = readInput(match, incoming.url.search)
      const account = accounts[name]
      const key = { session: await insertSession(database, account, 60), epoch: 0, account }
      const tables: (keyof Schema)[] = ["guest"]
      const question = { key, idle: 0, address: "192.0.2.1", eventId: event, tables }
      const admission = await database.readOnce((reader) => lookUpAdmission(reader, question))
      const query = input.query?.value
      if (!admission || !query) throw new TypeError("it was not admitted")
      return {
        ...{ route: match.route, incoming, input, question, admission, query, node },
        ...{ nextSince: 0, watermark: 0, steps: [] },
        assertFit: () => Promise.resolve(),
        lookUp: () => Promise.reject(new TypeError("nothing is in memory")),
      }
    }
    const revokeEve = async () => {
      await database.writer.deleteFrom("access_grant").where("account_id", "=", accounts.eve)
        .execute()
    }
    return { event, cache, ask, revokeEve }
  }

  const serve = async (megabytes: number) => {
    const statements: string[] = []
    const instance = await startInstance(
      { ...config, limits: generous, cache: { pages: megabytes, records: 0 } },
      { log: scannedLog(t, []), onStatement: (sql) => statements.push(sql) },
    )
    t.teardown(() => instance.close())
    const get = await logInto(instance.fetch, "ann")
    // Not by transactions: the background has its own.
    const readings = () => statements.filter((sql) => /from .guest. as .record./.test(sql)).length
    return { ...await freshEvent(), get, instance, statements, readings }
  }
  return { build, config, database, fresh, serve }
}
