import { setTimeout } from "node:timers/promises"
import { sql } from "kysely"
import t, { type Test } from "tap"
import type { ChangeLog } from "../../../../core/change-log/change-log.ts"
import { type Listener, Tail, type TailResult } from "../../../../core/change-log/tail.ts"
import type { Database } from "../../../../core/data/database.ts"
import { triggersOf } from "../../../../core/data/triggers.ts"
import { startInstance } from "../../../conformance/instance.ts"
import type { OpenExchange } from "../../../../core/request/exchange.ts"
import type { ListAttempt } from "../../../../core/request/list-layer.ts"
import { type Node, type Nodes, oneNode } from "../../../../core/request/nodes.ts"
import type { ListingRoute, MountedRoute } from "../../../../core/routes/contract.ts"
import { waitLayer } from "../../../../plugins/capabilities/waiting/wait-layer.ts"
import { Waiting } from "../../../../plugins/capabilities/waiting/waiting.ts"
import { appOf, fillElsewhere, generous, testConfig } from "../../../support/app.ts"
import { Builder } from "../../../support/builder.ts"
import { copiedUrl, type Engine, onEmbedded, openFor } from "../../../support/database.ts"
import { measure } from "../../../support/metrics.ts"
import { scannedLog } from "../../../support/scanned-log.ts"

/** Milliseconds from one look at the log to the next. */
const every = 20

interface Overrides {
  readonly wait?: number
  readonly waiting?: number
  readonly concurrent?: number
}

/** Starts a service with a partner of an organization. */
async function start(t: Test, engine: Engine, overrides: Overrides = {}) {
  const { wait = 50, waiting = 100, concurrent = 100 } = overrides
  const url = await copiedUrl(t, engine)
  const database = await openFor(t, url)
  const build = new Builder(database)
  await fillElsewhere(build)
  const organization = await build.organization("acme")
  await build.account("partner")
  await build.grant("partner", { organization: "acme" })
  const config = await testConfig(url)
  const entries: Record<string, unknown>[] = []
  const statements: string[] = []
  const instance = await startInstance({
    ...config,
    limits: { ...generous, waiting, concurrent },
    polling: { ...config.polling, wait },
  }, {
    log: scannedLog(t, entries),
    changes: { every },
    onStatement: (sql) => void statements.push(sql),
  })
  t.teardown(() => instance.close())
  const partner = await appOf(
    database,
    entries,
    (path, init) => instance.fetch(new Request(`http://localhost${path}`, init)),
  ).logIn("partner")
  const get = (path: string, headers: Record<string, string> = {}) =>
    partner(`/connector-b/v1${path}`, { headers })
  const tagOf = async (path: string) => {
    const response = await get(path)
    await response.text()
    return response.headers.get("etag") ?? ""
  }
  const held = async () => await measure(instance, "requests_held") ?? 0
  const wakes = async () => await measure(instance, "wakes_total") ?? 0
  /** Sends requests that wait, and resolves when they do. */
  const hold = async (path: string, count = 1) => {
    const responses: Promise<Response>[] = []
    while (responses.length < count) {
      const before = await held()
      let isAnswered = false
      const response = get(path, { "if-none-match": await tagOf(path), prefer: "wait=50" })
      void response.finally(() => isAnswered = true)
      await until(async () => isAnswered || await held() === before + 1)
      // It is answered at once if a look that sees a table's first records gives its page another tag meanwhile.
      if (isAnswered) await (await response).text()
      else responses.push(response)
    }
    return responses
  }
  /** Resolves after so many looks at the log. */
  const look = async (count: number) => {
    const looks = () => statements.filter((sql) => sql.includes("later_changes")).length
    const before = looks()
    await until(() => looks() >= before + count)
  }
  /** Adds an event with so many guests. Returns its id, and the path of its guests. */
  const addEvent = async (guests = 3) => {
    const event = await build.event(organization)
    await build.guests(event, guests)
    return { event, list: `/events/${event}/guests` }
  }
  const requests = { get, partner, tagOf, hold, held, wakes }
  return { ...requests, database, build, instance, entries, statements, look, addEvent }
}

/** What is known of a change log besides its tail. */
interface Common {
  common: string | undefined
}

/** Opens the waits of one server, without a service around them. */
function openWaiting(
  t: Test,
  { database, changes = { common: "" }, every: pause = every, onWake = () => {} }: {
    readonly database: Database
    readonly changes?: Common
    readonly every?: number
    readonly onWake?: () => void
  },
  servers: Partial<Nodes> = {},
): Waiting {
  const end = new AbortController()
  const wakes = {
    get total() {
      return 0
    },
    set total(_count) {
      onWake()
    },
  }
  const options = { log: scannedLog(t, []), most: 2, longest: 50, wakes, until: end.signal }
  const tail = new Tail(database, { log: scannedLog(t, []), common: () => changes.common })
  const nodes = oneNode(database, Object.assign(changes, { tail }) as unknown as ChangeLog)
  const waiting = new Waiting({ ...nodes, ...servers }, { ...options, every: pause })
  t.teardown(async () => {
    end.abort()
    await waiting.ended()
    await tail.close()
  })
  return waiting
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!await condition()) await setTimeout(5)
}

const preference = (response: Response | undefined) => response?.headers.get("preference-applied")
const now = () => Math.floor(Date.now() / 1000)

t.test("an account has so many places, and a process has so many, which are free again", async (t) => {
  const waiting = openWaiting(t, { database: {} as Database })
  const one = waiting.enter("ann", 1)
  t.ok(one)
  t.equal(waiting.enter("ann", 1), undefined, "the account has no more")
  t.ok(waiting.enter("bob", 1))
  t.equal(waiting.enter("eve", 1), undefined, "the process has no more")
  t.equal(waiting.numbers.held, 2)
  one?.[Symbol.dispose]()
  t.equal(waiting.numbers.held, 1)
  t.ok(waiting.enter("ann", 1))
})

await onEmbedded(t, async (t, engine) => {
  const service = await start(t, engine)
  const { get, hold, held, wakes, tagOf, build, database, entries } = service
  const { writer } = database
  /** Sends a request that waits for a second. */
  const waitASecond = async (t: Test, path: string, headers: Record<string, string> = {}) => {
    const before = performance.now()
    const response = await get(path, { ...headers, prefer: "wait=1" })
    t.ok(performance.now() - before >= 990, path)
    t.equal(preference(response), "wait=1", path)
    return response
  }
  const removeFrom = async (table: string, event: string) => {
    const { id } = await writer.selectFrom(table as "guest").select("id")
      .where("event_id", "=", event).executeTakeFirstOrThrow()
    await writer.deleteFrom(table as "guest").where("event_id", "=", event).where("id", "=", id)
      .execute()
    return id
  }

  await t.test("a request that waits gets the records of a change as soon as it is committed", async (t) => {
    const [{ event, list }, other] = [await service.addEvent(), await service.addEvent()]
    const [waiting] = await hold(list)
    const elsewhere = await hold(other.list)
    const before = await wakes()
    const id = await build.guest(event)
    const response = await waiting
    t.equal(response?.status, 200)
    t.equal(preference(response), "wait=50")
    const records = await response?.json()
    t.ok(records.some((record: { id: string }) => record.id === id))
    t.type(entries.findLast(({ status }) => status === 200)?.["waitedMs"], "number")
    t.equal(await held(), 1, "the other event has not changed")
    await build.guest(other.event)
    t.equal((await elsewhere[0])?.status, 200)
    t.equal(await held(), 0)
    t.equal(await wakes(), before + 2)
  })

  /** Pages that will have something new a minute from now. */
  const later: string[] = []

  await t.test("lists of records, of deletions and of buckets wait with a tag", async (t) => {
    const { event } = await service.addEvent()
    await build.items("tickets", event, 6)
    for (
      const list of ["guests", "items", "guests/deletions", "guests/digest", "items/deletions"]
    ) {
      const path = `/events/${event}/${list}`
      if (list !== "guests/digest") later.push(`${path}?since=${now() + 60}`)
      const [byTag] = await hold(path)
      await removeFrom(list.startsWith("guests") ? "guest" : "ticket", event)
      t.equal((await byTag)?.status, 200, list)
    }
  })

  await t.test("an empty page waits for a deletion, with a tag or with since", async (t) => {
    const since = now() - 10
    for (
      const [list, table, other] of [["guests", "guest", "ticket"], ["items", "ticket", "guest"]]
    ) {
      const { event } = await service.addEvent()
      await build.items("tickets", event, 3)
      const path = `/events/${event}/${list}`
      const [byTag] = await hold(`${path}?since=${since}`)
      const bySince = get(`${path}?since=${since}`, { prefer: "wait=50" })
      await until(async () => await held() === 2)
      const before = await wakes()
      await removeFrom(other ?? "", event)
      await until(async () => await wakes() >= before + 2)
      const id = await removeFrom(table ?? "", event)
      for (const response of await Promise.all([byTag, bySince])) {
        t.equal(response?.status, 200)
        t.equal(preference(response), "wait=50")
        t.match(await response?.text(), /^(\[\]|\{("\w+":\[\],?)+\})$/)
      }
      const deletions = await (await get(`${path}/deletions?since=${since}`)).json()
      t.match(deletions, [{ id }], "they waited on after a change of another list")
      await get(`${path}?since=${deletions[0].deleted}`, { prefer: "wait=50" })
      t.equal(entries.at(-1)?.["waitedMs"], undefined, "there may be more of the same second")
      // What was deleted before its since is not new.
      later.push(`${path}?since=${since + 60}`)
    }
  })

  await t.test("GET …/events waits for a change of any event that the caller may read", async (t) => {
    const { event } = await service.addEvent(0)
    // A later look may wake for a change that the one before has found.
    await service.look(5)
    const [first] = await hold("/events")
    const foreign = await build.event(await build.organization("borealis"))
    await build.guest(foreign)
    await build.guest(event)
    const events: { id: string }[] = await (await first)?.json()
    t.type((events.find(({ id }) => id === event) as { changed?: number }).changed, "number")
    t.notOk(events.some(({ id }) => id === foreign))
    await service.look(5)
    const [second] = await hold("/events")
    await writer.updateTable("event").set({ status: "closed" }).where("id", "=", event).execute()
    t.equal((await second)?.status, 200)
  })

  await t.test("GET …/events answers a change at which the list stays the same with 304, at once", async (t) => {
    const { event } = await service.addEvent()
    // What comes before it does not move `changed`.
    const ahead = await build.guest(event, { updated: now() + 1000 })
    await service.look(5)
    const [waiting] = await hold("/events")
    await writer.updateTable("guest").set({ company_name: "Other" })
      .where("event_id", "=", event).where("id", "!=", ahead).execute()
    const response = await waiting
    t.equal(response?.status, 304)
    t.equal(preference(response), "wait=50")
  })

  await t.test("a request that waits gets an empty page or 304 if nothing changes, with a later Next-Since", async (t) => {
    const waiting = later.map((path) => waitASecond(t, path))
    const { list } = await service.addEvent()
    const headers = { "if-none-match": await tagOf(list) }
    const nextSince = (each: Response) => Number(each.headers.get("next-since"))
    const endsLater = async () => {
      const before = await get(list, headers)
      const response = await waitASecond(t, list, headers)
      t.equal(response.status, 304)
      return nextSince(response) > nextSince(before)
    }
    let isLater = await endsLater()
    for (const response of await Promise.all(waiting)) t.equal(response.status, 200)
    // A busy server may not be looked at for open changes within a second.
    while (!isLater && engine === "mysql") isLater = await endsLater()
    t.ok(isLater)
  })

  await t.test("a request that has something to read is answered at once", async (t) => {
    const { list } = await service.addEvent()
    for (
      const [path, headers] of [
        [list, {}],
        [list, { "if-none-match": '"another"' }],
        [`${list}?since=-1`, {}],
        ["/events", {}],
      ] as const
    ) {
      const response = await get(path, { ...headers, prefer: "wait=50" })
      t.equal(response.status, 200)
      t.equal(preference(response), "wait=50")
      t.equal(entries.at(-1)?.["waitedMs"], undefined)
    }
  })

  await t.test("a session that ends while its request waits gets 401, a grant that is taken 404", async (t) => {
    const { event, list } = await service.addEvent()
    const [one] = await hold(list)
    const nothing = get(`${list}?since=${now() + 50}`, { prefer: "wait=50" })
    await until(async () => await held() === 2)
    const grants = await writer.selectFrom("access_grant").selectAll().execute()
    await writer.deleteFrom("access_grant").execute()
    await build.guest(event)
    t.equal((await one)?.status, 404)
    t.equal((await nothing).status, 404, "although it would have had no records")
    await writer.insertInto("access_grant").values(grants).execute()
    const timers = t.capture(globalThis, "setTimeout", globalThis.setTimeout)
    const [other] = await hold(list)
    const sessions = await writer.selectFrom("session").selectAll().execute()
    await writer.updateTable("session").set({ expires: 1 }).execute()
    const limits = timers().map(({ args }) => args as unknown[]).filter(([, , end]) =>
      end === "time"
    )
    t.equal(limits.length, 1)
    for (const [end] of limits) (end as (why: string) => void)("time")
    t.equal((await other)?.status, 401, "when the time is up, too")
    for (const { id, expires } of sessions) {
      await writer.updateTable("session").set({ expires }).where("id", "=", id).execute()
    }
  })

  await t.test("where an account may have one request running", async (t) => {
    const narrow = await start(t, engine, { waiting: 3, concurrent: 1 })

    await t.test("those that wait do not count, and are limited as well", async (t) => {
      const { event, list } = await narrow.addEvent()
      const waiting: Promise<Response>[] = []
      for (let n = 0; n < 3; n++) waiting.push(...await narrow.hold(list))
      const headers = { "if-none-match": await narrow.tagOf(list), prefer: "wait=1" }
      const refused = await narrow.get(list, headers)
      t.equal(refused.status, 304)
      t.equal(preference(refused), null)
      t.equal(await narrow.held(), 3)
      await narrow.build.guest(event)
      for (const response of await Promise.all(waiting)) t.equal(response.status, 200)
      const tag = { "if-none-match": await narrow.tagOf(list) }
      t.equal(preference(await narrow.get(list, { ...headers, ...tag })), "wait=1", "they are free")
    })

    await t.test("those that one change wakes are answered one by one", async (t) => {
      const { event, list } = await narrow.addEvent()
      const waiting: Promise<Response>[] = []
      for (let n = 1; n <= 3; n++) waiting.push(...await narrow.hold(`${list}?limit=${n}`))
      narrow.statements.length = 0
      await narrow.build.guest(event)
      for (const response of await Promise.all(waiting)) t.equal(response.status, 200)
      const isOfSession = (sql: string) => /^select.*from [`"]session[`"]/is.test(sql)
      // Those that run at the same time share one.
      t.ok(narrow.statements.filter(isOfSession).length >= 3)
    })

    await t.test("one that has waited gives back its place once, and needs none of those that run", async (t) => {
      const { event, list } = await narrow.addEvent(4000)
      await until(async () => await narrow.tagOf(list) !== "")
      const [again] = await narrow.hold(list)
      const running = await narrow.get(`${list}/export`)
      await narrow.build.guest(event)
      t.equal((await again)?.status, 200, "the export has the only place")
      t.equal((await narrow.get(`${list}?limit=1`)).status, 429)
      await running.body?.cancel()
      await until(async () => (await narrow.get(`${list}?limit=1`)).status === 200)
    })
  })

  await t.test("a wait that cannot be applied is not: without the header, the answer is at once", async (t) => {
    const { get, tagOf, partner, addEvent } = await start(t, engine, { wait: 5 })
    const { event, list } = await addEvent()
    const tag = { "if-none-match": await tagOf(list) }
    for (const prefer of ["wait=0", "wait", "wait=x", "wait=-1", "wait=1.5", "respond-async"]) {
      const response = await get(list, { ...tag, prefer })
      t.strictSame([response.status, preference(response)], [304, null], prefer)
    }
    const first = await get(`${list}?limit=1`, { prefer: "wait=99" })
    t.equal(preference(first), "wait=5", "at most polling.wait")
    const link = first.headers.get("link") ?? ""
    const [, next = ""] = /<http:\/\/localhost\/connector-b\/v1(.*)>/.exec(link) ?? []
    const queries = ["offset=9", "since=-1&q=nobody", "since=-1&bucket=0", "since=-1&hash=0"]
    for (const path of [next, ...queries.map((query) => `${list}?${query}`)]) {
      t.equal(preference(await get(path, { prefer: "wait=5" })), null, path.replace(event, ""))
    }
    t.equal(preference(await partner("/session", { headers: { prefer: "wait=5" } })), null)
  })

  await t.test("nobody waits with polling.wait: 0, or while triggers are gone", async (t) => {
    const none = await start(t, engine, { wait: 0 })
    const { list } = await none.addEvent()
    const response = await none.get(list, {
      ...{ "if-none-match": await none.tagOf(list), prefer: "wait=9" },
    })
    t.strictSame([response.status, preference(response)], [304, null])
    const broken = await start(t, engine)
    const { list: other } = await broken.addEvent()
    const [trigger] = triggersOf(broken.database).filter(({ table }) => table === "guest")
    await sql`drop trigger ${sql.table(trigger?.name ?? "")}`.execute(broken.database.writer)
    await until(async () => (await broken.instance.readiness()).triggers === "faulty")
    const future = await broken.get(`${other}?since=${now() + 50}`, { prefer: "wait=9" })
    t.strictSame([future.status, preference(future)], [200, null])
  })

  await t.test("hold ends at once if something has changed since the mark, seen by a look before the wait", async (t) => {
    const [{ event }, { event: other }] = [await service.addEvent(), await service.addEvent()]
    const { organization_id } = await writer.selectFrom("event").select("organization_id")
      .where("id", "=", event).executeTakeFirstOrThrow()
    const changes: Common = { common: "" }
    const waiting = openWaiting(t, { database, changes })
    const mark = await waiting.mark() ?? 0
    const holdSince = (mark: number, eventIds: string[], organizationIds: string[] = []) =>
      waiting.hold({ eventIds, organizationIds }, {
        ...{ mark, milliseconds: 5 * every, signal: undefined },
      })
    await build.guest(event)
    await until(async () => (await waiting.mark() ?? 0) > mark + 1)
    t.equal(await holdSince(mark, [event]), "changed")
    t.equal(await holdSince(mark, [], [organization_id]), "changed")
    t.equal(await holdSince(mark, [other]), "time")
    t.equal(await holdSince(await waiting.mark() ?? 0, [event]), "time", "it was before the mark")
    Object.assign(changes, { common: "tables were emptied" })
    const forgotten = await waiting.mark() ?? 0
    await until(async () => (await waiting.mark() ?? 0) > forgotten + 1)
    t.equal(await holdSince(forgotten, [other]), "changed", "nothing is known of what was before")
    Object.assign(changes, { common: undefined })
    t.equal(await waiting.mark(), undefined)
  })

  await t.test("a change that comes while a woken request is read wakes it again, though a look has seen it", async (t) => {
    const { event } = await service.addEvent()
    const waiting = openWaiting(t, { database })
    const listing = {
      list: { scope: "event", categories: ["guests"] },
    } as unknown as (ListingRoute & MountedRoute)
    const request = { headers: new Headers({ prefer: "wait=20" }) }
    const input = { query: { value: { offset: 0, terms: [] } } }
    const exchange = {
      asked: { request, watch: { enter() {} }, input },
      decided: {
        admission: { session: { account: { id: "a" } }, event: { id: event }, access: {} },
      },
    } as unknown as OpenExchange
    const ends: string[] = []
    const { hold } = waiting
    waiting.hold = async (...given) => {
      const end = await hold.apply(waiting, given)
      ends.push(end)
      return end
    }
    const layer = await waitLayer(waiting).begin(exchange, listing)
    const attempt = { exchange, limits: { concurrent: 1, waiting: 1 }, leave() {} }
    let readings = 0
    const read = async () => {
      if (++readings === 2) {
        await build.guest(event)
        const present = await waiting.mark() ?? 0
        await until(async () => (await waiting.mark() ?? 0) > present + 8)
      }
      return { status: readings === 3 ? 200 : 304, headers: {}, body: null }
    }
    const answer = layer?.answer(attempt as unknown as ListAttempt, read)
    await until(() => waiting.numbers.held === 1)
    await build.item("tickets", event)
    t.equal((await answer)?.status, 200)
    t.equal(readings, 3)
    t.strictSame(ends, ["changed", "changed"])
  })

  await t.test("looks go on while a request waits, however long", async (t) => {
    const { event } = await service.addEvent()
    const waiting = openWaiting(t, { database })
    const mark = await waiting.mark() ?? 0
    await until(async () => (await waiting.mark() ?? 0) > mark + 3)
    const held = waiting.hold({ eventIds: [event], organizationIds: [] }, {
      ...{ mark: await waiting.mark() ?? 0, milliseconds: 10_000, signal: undefined },
    })
    const { now } = performance
    t.intercept(performance, "now", { value: () => now.call(performance) + 31_000 })
    await setTimeout(5 * every)
    await build.guest(event)
    t.equal(await held, "changed")
  })

  await t.test("an event that changes all the time wakes its requests ever more seldom, until once in twenty looks", async (t) => {
    let [now, wakes] = [1000, 0]
    t.intercept(performance, "now", { value: () => now })
    let listener: Listener | undefined
    const tail = {
      listen(given: Listener) {
        listener = given
        return Promise.resolve({ [Symbol.dispose]() {} })
      },
    }
    const node = { changes: { common: "", tail } } as unknown as Node
    const waiting = openWaiting(t, { database, onWake: () => void wakes++ }, {
      next: () => node,
      isInUse: () => true,
    })
    const hold = async () => {
      const mark = await waiting.mark() ?? NaN
      const options = { mark, milliseconds: 20_000, signal: undefined }
      return { end: waiting.hold({ eventIds: ["e"], organizationIds: [] }, options) }
    }
    const found = { changes: [{ event: "e", list: "guests", seq: 1 }], isEmptied: false }
    const woken: number[] = []
    let held = await hold()
    for (let look = 0; look < 100; look++) {
      const before = wakes
      listener?.hear(found as unknown as TailResult)
      if (wakes > before) {
        woken.push(look)
        t.equal(await held.end, "changed")
        held = await hold()
      }
      now += every
    }
    t.strictSame(woken, [0, 2, 10, 30, 50, 70, 90])
  })

  await t.test("a server that is in use no more is left, and nobody misses what another one has", async (t) => {
    const { event } = await service.addEvent()
    const open = () => {
      const tail = new Tail(database, { log: scannedLog(t, []), common: () => "" })
      t.teardown(() => tail.close())
      return oneNode(database, { common: "", tail } as unknown as ChangeLog).best
    }
    const [one, two] = [open(), open()]
    let inUse: Node | undefined = one
    const waiting = openWaiting(t, { database }, {
      next: () => inUse,
      isInUse: (node) => node === inUse,
    })
    const holdSince = (mark: number, milliseconds: number) =>
      waiting.hold({ eventIds: [event], organizationIds: [] }, {
        ...{ mark, milliseconds, signal: undefined },
      })
    const mark = await waiting.mark() ?? NaN
    const held = holdSince(mark, 20_000)
    inUse = undefined
    t.equal(
      await Promise.race([held, setTimeout(5 * every, "waits")]),
      "waits",
      "there is no other",
    )
    t.equal(waiting.node, one)
    inUse = two
    t.equal(await held, "changed", "whatever the first has not told")
    t.equal(waiting.node, two)
    t.equal(await holdSince(mark, 0), "changed", "nor before the wait")
    const again = holdSince(await waiting.mark() ?? NaN, 20_000)
    await build.guest(event)
    t.equal(await again, "changed")
    for (inUse of [undefined, two, one, undefined, one]) await setTimeout(2 * every)
    const back = holdSince(await waiting.mark() ?? NaN, 20_000)
    await build.guest(event)
    t.equal(await back, "changed")
  })

  await t.test("one look that took long, because this process was busy, does not put off the next", async (t) => {
    const { now } = performance
    let lost = 0
    t.intercept(performance, "now", { value: () => now.call(performance) + lost })
    // One of many, and the first after those that begin.
    for (const looks of [6, 2]) {
      let begun = 0
      const readOnce: Database["readOnce"] = (work) => {
        if (++begun === looks) lost += 20_000
        return database.readOnce(work)
      }
      const busy = Object.create(database, { readOnce: { value: readOnce } })
      const waiting = openWaiting(t, { database: busy })
      await until(async () => await waiting.mark() !== undefined && begun > looks + 1)
      t.ok(begun > looks + 1)
    }
  })
})
