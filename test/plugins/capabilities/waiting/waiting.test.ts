import { measure } from "../../../support/metrics.ts"
import { setTimeout } from "node:timers/promises"
import { sql } from "kysely"
import t, { type Test } from "tap"
import { migrate } from "../../../../core/data/migrate.ts"
import { pruneChangeLog } from "../../../../core/change-log/prune.ts"
import { foldEvent } from "../../../../core/change-log/versions.ts"
import { type Instance, startInstance } from "../../../../core/kernel/instance.ts"
import type { ChangeLog } from "../../../../core/change-log/change-log.ts"
import type { Database } from "../../../../core/data/database.ts"
import { triggersOf } from "../../../../core/data/triggers.ts"
import { oneNode } from "../../../../core/request/nodes.ts"
import type { Findings } from "../../../../core/request/facts.ts"
import type { ListTurn } from "../../../../core/request/list-layer.ts"
import type { ListingRoute, MountedRoute } from "../../../../core/routes/contract.ts"
import { waitLayer } from "../../../../plugins/capabilities/waiting/wait-layer.ts"
import { Waiting } from "../../../../plugins/capabilities/waiting/waiting.ts"
import { generous, testConfig } from "../../../support/app.ts"
import { Builder, password } from "../../../support/builder.ts"
import { copiedUrl, type Engine, onEveryEngine, openFor } from "../../../support/database.ts"
import { scannedLog } from "../../../support/scanned-log.ts"

/** Milliseconds from one look at the log to the next. */
const every = 20

interface Overrides {
  readonly wait?: number
  readonly waiting?: number
  readonly most?: number
  readonly concurrent?: number
}

/** Starts a service with two events and a partner. */
async function start(t: Test, engine: Engine, overrides: Overrides = {}) {
  const { wait = 50, waiting = 100, most = 100, concurrent = 100 } = overrides
  const url = await copiedUrl(t, engine)
  const database = await openFor(t, url)
  await migrate(database)
  const build = new Builder(database)
  const organization = await build.organization("acme")
  const [event, other] = [await build.event(organization), await build.event(organization)]
  await build.guests(event, 3)
  await build.account("partner")
  await build.grant("partner", { organization: "acme" })
  const config = await testConfig(url)
  const entries: Record<string, unknown>[] = []
  const statements: string[] = []
  const draining = new AbortController()
  const instance = await startInstance({
    ...config,
    server: { ...config.server, waiting: most },
    limits: { ...generous, waiting, concurrent },
    polling: { ...config.polling, wait },
  }, {
    log: scannedLog(t, entries),
    changes: { every },
    draining: draining.signal,
    onStatement: (sql) => void statements.push(sql),
  })
  t.teardown(() => instance.close())
  const send = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
    instance.fetch(new Request(`http://localhost${path}`, { ...init, headers }))
  const logIn = await send("/session", {
    "content-type": "application/json",
    prefer: "return=representation",
  }, { method: "POST", body: JSON.stringify({ username: "partner", password }) })
  const { token } = await logIn.json()
  const authorization = `Bearer ${token}`
  const get = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
    send(`/connector-b/v1${path}`, { authorization, ...headers }, init)
  const list = `/events/${event}/guests`
  const tagOf = async (path: string) => {
    const response = await get(path)
    await response.text()
    return response.headers.get("etag") ?? ""
  }
  /** Sends requests that wait, and resolves when they do. */
  const hold = async (path = list, { count = 1, seconds = 50, signal }: HoldOptions = {}) => {
    const before = await heldBy(instance)
    const headers = { "if-none-match": await tagOf(path), prefer: `wait=${seconds}` }
    const init = signal ? { signal } : {}
    const responses = Array.from({ length: count }, () => get(path, headers, init))
    await until(async () => await heldBy(instance) === before + count)
    return responses
  }
  const drain = () => draining.abort()
  const shared = { database, build, instance, drain, entries, statements, organization }
  return { ...shared, event, other, list, get, send, tagOf, hold, authorization }
}

/** Opens the waits of one server, without a service around them. */
function openWaiting(
  t: Test,
  { database, changes = { common: "" } as ChangeLog, every: pause = every }: {
    readonly database: Database
    readonly changes?: ChangeLog
    readonly every?: number
  },
): Waiting {
  const end = new AbortController()
  const wakes = { total: 0 }
  const options = { log: scannedLog(t, []), most: 1, longest: 50, wakes, until: end.signal }
  const waiting = new Waiting(oneNode(database, changes), { ...options, every: pause })
  t.teardown(async () => {
    end.abort()
    await waiting.ended()
  })
  return waiting
}

interface HoldOptions {
  readonly count?: number
  readonly seconds?: number
  readonly signal?: AbortSignal
}

async function heldBy(instance: Instance): Promise<number> {
  return await measure(instance, "requests_held") ?? 0
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!await condition()) await setTimeout(5)
}

const preference = (response: Response | undefined) => response?.headers.get("preference-applied")

await onEveryEngine(t, async (t, engine) => {
  await t.test("a request that waits gets the records of a change as soon as it is committed", async (t) => {
    const { hold, build, event, other, entries, instance } = await start(t, engine)
    const [held] = await hold()
    const elsewhere = await hold(`/events/${other}/guests`)
    const id = await build.guest(event)
    const response = await held
    t.equal(response?.status, 200)
    t.equal(preference(response), "wait=50")
    const records = await response?.json()
    t.ok(records.some((record: { id: string }) => record.id === id))
    t.type(entries.findLast(({ status }) => status === 200)?.["waitedMs"], "number")
    t.equal(await heldBy(instance), 1, "the other event has not changed")
    await build.guest(other)
    t.equal((await elsewhere[0])?.status, 200)
    t.equal(await heldBy(instance), 0)
    t.ok((await measure(instance, "wakes_total") ?? 0) >= 2)
  })

  for (const list of ["guests", "items", "guests/deletions", "guests/digest", "items/deletions"]) {
    await t.test(`GET …/${list} waits, with a tag or with since`, async (t) => {
      const { build, event, get, hold, database } = await start(t, engine)
      await build.items("tickets", event, 1)
      const [byTag] = await hold(`/events/${event}/${list}`)
      const now = Math.floor(Date.now() / 1000)
      const path = `/events/${event}/${list}?since=${now + 60}`
      const bySince = list.endsWith("digest") ? undefined : get(path, { prefer: "wait=1" })
      if (bySince) {
        const response = await bySince
        t.equal(response.status, 200)
        t.equal(preference(response), "wait=1")
      }
      const table = list.startsWith("guests") ? "guest" : "ticket"
      await database.writer.deleteFrom(table).where("event_id", "=", event).execute()
      t.equal((await byTag)?.status, 200)
    })
  }

  for (
    const [list, table, other] of [["guests", "guest", "ticket"], ["items", "ticket", "guest"]]
  ) {
    await t.test(`GET …/${list} on an empty page waits for a deletion, with a tag or with since`, async (t) => {
      const { build, event, get, hold, database, instance, entries } = await start(t, engine)
      await build.items("tickets", event, 3)
      const remove = async (from = "") => {
        const { id } = await database.writer.selectFrom(from as "guest").select("id")
          .where("event_id", "=", event).executeTakeFirstOrThrow()
        await database.writer.deleteFrom(from as "guest").where("event_id", "=", event)
          .where("id", "=", id).execute()
        return id
      }
      const since = Math.floor(Date.now() / 1000) - 10
      const path = `/events/${event}/${list}?since=${since}`
      const [byTag] = await hold(path)
      const bySince = get(path, { prefer: "wait=50" })
      await until(async () => await heldBy(instance) === 2)
      const wakes = await measure(instance, "wakes_total") ?? 0
      await remove(other)
      await until(async () => (await measure(instance, "wakes_total") ?? 0) >= wakes + 2)
      await setTimeout(2 * every)
      t.equal(await heldBy(instance), 2, "nothing of this list")
      const id = await remove(table)
      for (const response of await Promise.all([byTag, bySince])) {
        t.equal(response?.status, 200)
        t.equal(preference(response), "wait=50")
        t.match(await response?.text(), /^(\[\]|\{("\w+":\[\],?)+\})$/)
      }
      const deletions = await get(`/events/${event}/${list}/deletions?since=${since}`)
      t.match(await deletions.json(), [{ id }])
      const later = `/events/${event}/${list}?since=${since + 60}`
      const past = await get(later, { prefer: "wait=1" })
      t.equal(preference(past), "wait=1")
      const waited = Number(entries.at(-1)?.["waitedMs"])
      t.ok(waited >= 990, `what was deleted before its since is not new: ${waited} ms`)
    })
  }

  await t.test("GET …/events waits for a change of any event that the caller may read", async (t) => {
    const { build, database, event, other, hold } = await start(t, engine)
    const [first] = await hold("/events")
    const foreign = await build.event(await build.organization("borealis"))
    await build.guest(foreign)
    await build.guest(other)
    const events = await (await first)?.json()
    t.type(events.find(({ id }: { id: string }) => id === other).changed, "number")
    t.equal(events.length, 2)
    const [second] = await hold("/events")
    await database.writer.updateTable("event").set({ status: "closed" }).where("id", "=", event)
      .execute()
    t.equal((await second)?.status, 200)
  })

  await t.test("GET …/events answers a change at which the list stays the same with 304, at once", async (t) => {
    const { build, database, event, hold } = await start(t, engine)
    // What comes before it does not move `changed`.
    const ahead = await build.guest(event, { updated: Math.floor(Date.now() / 1000) + 1000 })
    const [held] = await hold("/events")
    await database.writer.updateTable("guest").set({ company_name: "Other" })
      .where("event_id", "=", event).where("id", "!=", ahead).execute()
    const response = await held
    t.equal(response?.status, 304)
    t.equal(preference(response), "wait=50")
  })

  await t.test("a request that waits gets 304 if nothing changes, with a later Next-Since", async (t) => {
    const { get, tagOf, list, entries } = await start(t, engine)
    const headers = { "if-none-match": await tagOf(list), prefer: "wait=1" }
    const before = Math.floor(Date.now() / 1000)
    const response = await get(list, headers)
    t.equal(response.status, 304)
    t.equal(preference(response), "wait=1")
    t.ok(Number(entries.at(-1)?.["waitedMs"]) >= 990)
    const plain = await get(list, { "if-none-match": headers["if-none-match"] })
    t.ok(
      Number(response.headers.get("next-since")) >=
        Number(plain.headers.get("next-since")) - (Math.floor(Date.now() / 1000) - before),
    )
  })

  await t.test("a request that has something to read is answered at once", async (t) => {
    const { get, list, entries, other } = await start(t, engine)
    for (
      const [path, headers] of [
        [list, {}],
        [list, { "if-none-match": '"another"' }],
        [`${list}?since=-1`, {}],
        [`/events/${other}/guests`, {}],
        ["/events", {}],
      ] as const
    ) {
      const response = await get(path, { ...headers, prefer: "wait=50" })
      t.equal(response.status, 200)
      t.equal(preference(response), "wait=50")
      t.equal(entries.at(-1)?.["waitedMs"], undefined)
    }
  })

  await t.test("a wait that cannot be applied is not: without the header, the answer is at once", async (t) => {
    const { get, tagOf, list, send, authorization } = await start(t, engine, { wait: 5 })
    const tag = { "if-none-match": await tagOf(list) }
    for (const prefer of ["wait=0", "wait", "wait=x", "wait=-1", "wait=1.5", "respond-async"]) {
      const response = await get(list, { ...tag, prefer })
      t.equal(response.status, 304, prefer)
      t.equal(preference(response), null, prefer)
    }
    const first = await get(`${list}?limit=1`, { prefer: "wait=99" })
    t.equal(preference(first), "wait=5", "at most polling.wait")
    const [, next = ""] = /<http:\/\/localhost\/connector-b\/v1(.*)>/.exec(
      first.headers.get("link") ?? "",
    ) ?? []
    t.equal(preference(await get(next, { prefer: "wait=5" })), null, "a page by cursor")
    t.equal(preference(await get(`${list}?offset=9`, { prefer: "wait=5" })), null)
    for (const search of ["q=nobody", "bucket=0", "hash=0"]) {
      const response = await get(`${list}?since=-1&${search}`, { prefer: "wait=5" })
      t.equal(preference(response), null, search)
    }
    t.equal(preference(await send("/session", { authorization, prefer: "wait=5" })), null)
  })

  await t.test("polling.wait: 0 lets nobody wait", async (t) => {
    const { get, tagOf, list } = await start(t, engine, { wait: 0 })
    const headers = { "if-none-match": await tagOf(list), prefer: "wait=9" }
    const response = await get(list, headers)
    t.equal(response.status, 304)
    t.equal(preference(response), null)
  })

  await t.test("a service whose triggers are gone lets nobody wait", async (t) => {
    const { get, list, database, instance } = await start(t, engine)
    const [trigger] = triggersOf(database).filter(({ table }) => table === "guest")
    await sql`drop trigger ${sql.table(trigger?.name ?? "")}`.execute(database.writer)
    await until(async () => (await instance.readiness()).triggers === "faulty")
    const future = Math.floor(Date.now() / 1000) + 50
    const response = await get(`${list}?since=${future}`, { prefer: "wait=9" })
    t.equal(response.status, 200)
    t.equal(preference(response), null)
  })

  await t.test("many requests that wait are served by one statement per look, and share the reading", async (t) => {
    const { hold, build, event, list, statements } = await start(t, engine)
    const held = await hold(list, { count: 60 })
    statements.length = 0
    const looks = () => statements.filter((sql) => sql.includes("later_changes")).length
    await until(() => Promise.resolve(looks() >= 3))
    t.equal(statements.filter((sql) => sql.includes("from `session`")).length, 0)
    statements.length = 0
    await build.guest(event)
    for (const response of await Promise.all(held)) t.equal(response.status, 200)
    const others = statements.filter((sql) => /session|guest/.test(sql) && /^select/i.test(sql))
    t.ok(others.length > 0 && others.length < 20, `${others.length} statements for 60 requests`)
  })

  await t.test("waiting requests do not count as running, and are limited per account and process", async (t) => {
    const options = { waiting: 3, most: 4, concurrent: 1 }
    const { hold, get, tagOf, list, build, event, instance } = await start(t, engine, options)
    const held: Promise<Response>[] = []
    for (let n = 0; n < 3; n++) held.push(...await hold())
    const headers = { "if-none-match": await tagOf(list), prefer: "wait=50" }
    const refused = await get(list, headers)
    t.equal(refused.status, 304)
    t.equal(preference(refused), null)
    t.equal(await heldBy(instance), 3)
    await build.guest(event)
    for (const response of await Promise.all(held)) t.equal(response.status, 200)
    const [again] = await hold()
    await build.guest(event)
    t.equal(preference(await again), "wait=50", "the places are free again")
  })

  await t.test("requests that one change wakes are answered as many at a time as an account may have running", async (t) => {
    for (const concurrent of [1, 100]) {
      const { hold, build, event, list, statements } = await start(t, engine, { concurrent })
      const held: Promise<Response>[] = []
      for (let limit = 1; limit <= 6; limit++) held.push(...await hold(`${list}?limit=${limit}`))
      statements.length = 0
      await build.guest(event)
      for (const response of await Promise.all(held)) t.equal(response.status, 200)
      const looks = statements.filter((sql) => /^select.*from [`"]session[`"]/is.test(sql))
      // Those that run at the same time share one.
      t.equal(looks.length >= 6, concurrent === 1, `${looks.length}`)
    }
  })

  await t.test("a request that has waited gives back its place once, and needs none of those that run", async (t) => {
    const { hold, get, tagOf, build, event, list } = await start(t, engine, { concurrent: 1 })
    await build.guests(event, 8000)
    await until(async () => await tagOf(list) !== "")
    const [again] = await hold()
    const running = await get(`${list}/export`)
    await build.guest(event)
    t.equal((await again)?.status, 200, "the export has the only place")
    t.equal((await get(`${list}?limit=1`)).status, 429)
    await running.body?.cancel()
    await until(async () => (await get(`${list}?limit=1`)).status === 200)
  })

  await t.test("a session that ends while its request waits gets 401, a grant that is taken 404", async (t) => {
    const { hold, get, list, build, event, instance, database: { writer } } = await start(t, engine)
    const [one] = await hold()
    const future = Math.floor(Date.now() / 1000) + 50
    const nothing = get(`${list}?since=${future}`, { prefer: "wait=50" })
    await until(async () => await heldBy(instance) === 2)
    const grants = await writer.selectFrom("access_grant").selectAll().execute()
    await writer.deleteFrom("access_grant").execute()
    await build.guest(event)
    t.equal((await one)?.status, 404)
    t.equal((await nothing).status, 404, "although it would have had no records")
    await writer.insertInto("access_grant").values(grants).execute()
    const timers = t.capture(globalThis, "setTimeout", globalThis.setTimeout)
    const [other] = await hold()
    await writer.updateTable("session").set({ expires: 1 }).execute()
    const limits = timers().map(({ args }) => args as unknown[]).filter(([, , end]) =>
      end === "time"
    )
    t.equal(limits.length, 1)
    for (const [end] of limits) (end as (why: string) => void)("time")
    t.equal((await other)?.status, 401, "when the time is up, too")
  })

  await t.test("a client that has gone frees its place", async (t) => {
    const { hold, instance, build, event } = await start(t, engine)
    const gone = new AbortController()
    const [held] = await hold(undefined, { signal: gone.signal })
    gone.abort()
    await until(async () => await heldBy(instance) === 0)
    t.equal((await held)?.status, 304)
    await build.guest(event)
  })

  await t.test("drain and close answer waiting requests at once, and let no more wait", async (t) => {
    const { hold, drain, get, list, tagOf } = await start(t, engine)
    const held = await hold(list, { count: 3 })
    drain()
    for (const response of await Promise.all(held)) t.equal(response.status, 304)
    const headers = { "if-none-match": await tagOf(list), prefer: "wait=50" }
    const late = await get(list, headers)
    t.equal(late.status, 304)
    t.equal(preference(late), null)
    const another = await start(t, engine)
    const [last] = await another.hold()
    await another.instance.close()
    t.equal((await last)?.status, 304)
  })

  await t.test("folding and pruning wake nobody, and hide no change", async (t) => {
    const { hold, instance, build, event, database } = await start(t, engine)
    const [held] = await hold()
    await setTimeout(3 * every)
    const wakes = await measure(instance, "wakes_total")
    await foldEvent(database, event)
    await pruneChangeLog(database, 0)
    await setTimeout(5 * every)
    t.equal(await measure(instance, "wakes_total"), wakes)
    await build.guest(event)
    t.equal((await held)?.status, 200)
  })

  await t.test("hold ends at once if something has changed since the mark, seen by a look before the wait", async (t) => {
    const { database, build, event, other, organization } = await start(t, engine)
    const changes = { common: "" } as ChangeLog
    const waiting = openWaiting(t, { database, changes })
    const mark = await waiting.mark() ?? 0
    const hold = (eventIds: string[], organizationIds: string[] = [], milliseconds = 50_000) =>
      waiting.hold({ eventIds, organizationIds }, { mark, milliseconds, signal: undefined })
    await build.guest(event)
    await until(async () => (await waiting.mark() ?? 0) > mark + 1)
    t.equal(await hold([event]), "changed")
    t.equal(await hold([], [organization]), "changed")
    t.equal(await hold([other], [], 5 * every), "time")
    t.equal(
      await waiting.hold({ eventIds: [event], organizationIds: [] }, {
        mark: await waiting.mark() ?? 0,
        milliseconds: 5 * every,
        signal: undefined,
      }),
      "time",
      "that was before the mark",
    )
    Object.assign(changes, { common: "tables were emptied" })
    t.equal(await hold([other]), "changed")
    const forgotten = await waiting.mark() ?? 0
    await until(async () => (await waiting.mark() ?? 0) > forgotten)
    t.equal(await hold([other], [], 5 * every), "changed", "the look was before the wait")
    Object.assign(changes, { common: undefined })
    t.equal(await waiting.mark(), undefined)
  })

  await t.test("a change that comes while a woken request is read wakes it again, though a look has seen it", async (t) => {
    const { database, build, event } = await start(t, engine)
    const waiting = openWaiting(t, { database })
    const listing = {
      list: { scope: "event", categories: ["guests"] },
    } as unknown as (ListingRoute & MountedRoute)
    const request = { headers: new Headers({ prefer: "wait=20" }) }
    const findings = {
      incoming: { request, watch: { enter() {} } },
      input: { query: { value: { offset: 0, terms: [] } } },
      admission: { session: { account: { id: "a" } }, event: { id: event }, access: {} },
    } as unknown as Findings
    const layer = await waitLayer(waiting).begin(findings, listing)
    const turn = { findings, limits: { concurrent: 1, waiting: 1 }, leave() {} }
    let readings = 0
    const read = async () => {
      if (++readings === 2) {
        await build.guest(event)
        const present = await waiting.mark() ?? 0
        await until(async () => (await waiting.mark() ?? 0) > present + 8)
      }
      return { status: readings === 3 ? 200 : 304, headers: {}, body: null }
    }
    const answer = layer?.answer(turn as unknown as ListTurn, read)
    await until(() => Promise.resolve(waiting.numbers.held === 1))
    await build.item("tickets", event)
    const late = setTimeout(5000, { status: "not yet" }, { ref: false })
    t.equal((await Promise.race([answer, late]))?.status, 200)
    t.equal(readings, 3)
  })

  await t.test("looks go on while a request waits, however long", async (t) => {
    const { database, build, event } = await start(t, engine)
    const waiting = openWaiting(t, { database })
    const mark = await waiting.mark() ?? 0
    await until(async () => (await waiting.mark() ?? 0) > mark + 3)
    const held = waiting.hold({ eventIds: [event], organizationIds: [] }, {
      ...{ mark: await waiting.mark() ?? 0, milliseconds: 50_000, signal: undefined },
    })
    const { now } = performance
    t.teardown(() => Object.assign(performance, { now }))
    performance.now = () => now.call(performance) + 31_000
    await setTimeout(5 * every)
    await build.guest(event)
    t.equal(await Promise.race([held, setTimeout(5000, "nothing", { ref: false })]), "changed")
  })

  await t.test("an event that changes all the time wakes its requests once in four looks", async (t) => {
    const { database, build, event } = await start(t, engine)
    const waiting = openWaiting(t, { database, every: 50 })
    const awaited = { eventIds: [event], organizationIds: [] }
    const times: number[] = []
    for (let wake = 0; wake < 4; wake++) {
      const options = { mark: await waiting.mark() ?? 0, milliseconds: 50_000, signal: undefined }
      // The look may come before the writer knows that it has committed.
      const held = waiting.hold(awaited, options).finally(() => times.push(performance.now()))
      await build.guest(event)
      t.equal(await held, "changed")
    }
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? NaN))
    for (const pause of pauses) t.ok(pause > 3 * 50, `${pause}`)
  })

  await t.test("one look that took long, because this process was busy, does not put off the next", async (t) => {
    const { database } = await start(t, engine)
    // One of many, and the first after those that begin.
    for (const looks of [6, 2]) await testSlowLook(t, database, looks)
  })
})

/** Checks that a look that takes half a second, after so many others, does not put off the next. */
async function testSlowLook(t: Test, database: Database, looks: number): Promise<void> {
  const begun: number[] = []
  let pause = 0
  const readOnce: typeof database.readOnce = async (work) => {
    begun.push(performance.now())
    const now = pause
    pause = 0
    if (now > 0) await setTimeout(now)
    return await database.readOnce(work)
  }
  const slow: typeof database = Object.create(database, { readOnce: { value: readOnce } })
  const waiting = openWaiting(t, { database: slow })
  await until(async () => await waiting.mark() !== undefined && begun.length >= looks)
  const usual = begun.length
  pause = 500
  await until(async () => await waiting.mark() !== undefined && begun.length > usual + 1)
  const [first = NaN, second = NaN] = begun.slice(usual)
  t.ok(second - first < 9 * 500, `${second - first}`)
}
