import { setTimeout } from "node:timers/promises"
import t, { type Test } from "tap"
import demonstration from "../../../config/demo/demonstration.ts"
import { bigEvent } from "../../../config/demo/events.ts"
import { Client } from "../../../config/demo/live/client.ts"
import { LateWriter } from "../../../config/demo/live/late-writer.ts"
import {
  ForgetfulPartner,
  GoodPartner,
  LoggedOutPartner,
  PingedPartner,
} from "../../../config/demo/live/partners.ts"
import { turnOver } from "../../../config/demo/live/turnover.ts"
import { Writer } from "../../../config/demo/live/writer.ts"
import { sceneOf } from "../../../config/demo/scene.ts"
import { setDisabled, setPassword } from "../../../core/access/accounts.ts"
import type { Database } from "../../../core/data/database.ts"
import { fillDemonstration } from "../../../plugins/capabilities/demonstration/demonstration.ts"
import { freshApp } from "../../support/app.ts"
import { withHistory } from "../../support/builder.ts"
import { type Engine, freshDatabase, onEveryEngine } from "../../support/database.ts"
import { ListClient, NaiveClient } from "./naive-client.ts"

const eventId = bigEvent.row.id
const itemTables = [
  "buy_now_item",
  "auction_item",
  "pledge",
  "raffle",
  "gli_raffle",
  "ticket",
] as const
const recordTables = ["guest", ...itemTables] as const
const tables = [...recordTables, "consent", "address"] as const

await onEveryEngine(t, async (t, engine) => {
  await t.test("a live demonstration: the writer changes the running event, one partner follows, one never gets to the end, one is locked out", async (t) => {
    const { database, service, requestsOf } = await freshDemonstration(t, engine)
    const others = await contents(database, "!=")
    const before = await contents(database, "=")
    const writer = new Writer(101)
    const good = new GoodPartner("partner-a")
    const forgetful = new ForgetfulPartner("partner-b")
    const loggedOut = new LoggedOutPartner("borealis-export")
    const guests: number[] = []
    const tickets: number[] = []
    for (let step = 0; step < 240; step++) {
      const seconds = await writer.step(service)
      t.ok(seconds >= 1 && seconds <= 20)
      if (step % 12 === 0) {
        for (const partner of [good, forgetful, loggedOut]) await partner.step(service)
      }
      if (step % 11 !== 0) continue
      guests.push(await countOf(database, "guest"))
      tickets.push(await countOf(database, "ticket"))
    }
    await good.step(service)

    t.same(new Set(guests), new Set([2600, 2601]), "guests come and go")
    t.same(new Set(tickets), new Set([1300, 1301]), "tickets come and go")
    for (const category of ["guests", "tickets"]) {
      const deletions = await database.writer.selectFrom("deletion").select("record_id")
        .where("category", "=", category).execute()
      t.ok(deletions.length >= 15, `${deletions.length} of ${category} are deleted in six minutes`)
    }
    t.strictSame(await contents(database, "!="), others, "no other event changes")
    const after = await contents(database, "=")
    for (const table of ["guest", "consent", "address", "buy_now_item", "ticket"] as const) {
      t.notSame(after[table], before[table], `${table} changes`)
    }
    await testStatuses(t, database)
    const deleted = await database.writer.selectFrom("deletion").select("category").execute()
    t.same(new Set(deleted.map(({ category }) => category)), new Set(["guests", "tickets"]))

    const versions = (rows: readonly unknown[]) =>
      (rows as { id: string; updated: number }[]).map(({ id, updated }) => `${id} ${updated}`)
        .sort()
    const inTables = async (names: readonly (typeof recordTables)[number][]) =>
      versions((await Promise.all(names.map((name) => recordsOf(database, name)))).flat())
    t.strictSame(versions([...good.copy.records.values()]), await inTables(recordTables))
    const fresh = new GoodPartner("partner-a")
    await fresh.step(service)
    const [copy, anew] = [good, fresh].map(({ copy }) => new Map([...copy.records].sort()))
    t.strictSame(copy, anew, "a partner that reads everything anew gets the same")

    const walks = requestsOf("partner-b").filter(({ path }) => path !== "/session")
    t.ok(walks.length === 20 && walks.every(({ status }) => status === 200))
    t.ok(walks.every(({ path, hasNext }) => /since=-1&limit=100$/.test(path) && hasNext))

    const ended = requestsOf("borealis-export")
    const logOut = ended.findIndex(({ method }) => method === "DELETE")
    const first = ended.slice(0, logOut + 1).map(({ method, status }) => `${method} ${status}`)
    t.strictSame(first, ["POST 204", ...Array<string>(3).fill("GET 200"), "DELETE 204"])
    const later = ended.slice(logOut + 1)
    t.ok(later.length === 17 && later.every(({ status }) => status === 401), "401s from then on")
  })

  await t.test("the writer deletes nothing while too many deleted records hold a position", async (t) => {
    const { database } = await freshDemonstration(t, engine)
    const work = { db: database.writer, scene: sceneOf(bigEvent) }
    work.scene.faker.seed(5)
    await turnOver(work, "guest")
    t.equal(await countOf(database, "guest"), 2601)
    const vacant = Array.from({ length: 6000 }, () => ({
      event_id: eventId,
      category: "guests",
      record_id: crypto.randomUUID(),
      updated: 1,
      at: Math.floor(Date.now() / 1000),
    }))
    for (let from = 0; from < vacant.length; from += 1000) {
      await database.writer.insertInto("vacant_position").values(vacant.slice(from, from + 1000))
        .execute()
    }
    await turnOver(work, "guest")
    t.equal(await countOf(database, "guest"), 2601)
    await database.writer.deleteFrom("vacant_position").execute()
    await turnOver(work, "guest")
    t.equal(await countOf(database, "guest"), 2600)
  })

  await t.test("the writer does nothing in a database without the demonstration's event", async (t) => {
    const database = await freshDatabase(t, engine)
    await database.writer.insertInto("organization").values({ id: "o", slug: "o", name: "o" })
      .execute()
    const writer = new Writer(101)
    for (let step = 0; step < 40; step++) await writer.step({ db: database.writer })
    const { signal } = new AbortController()
    const { writer: db, dialect: { name: dialect } } = database
    t.equal(await new LateWriter(101).step({ db, dialect, signal }), 3600)
    t.equal((await database.writer.selectFrom("event_change").select("seq").execute()).length, 0)
  })

  await t.test(
    "clients that compute since or forget deletions are wrong in the end, and those that follow the guide are right",
    {
      skip: engine === "sqlite" && "the embedded database has one writer at a time",
    },
    async (t) => {
      const { database, service } = await freshDemonstration(t, engine)
      const path = `/acme/v1/events/${eventId}/guests`
      const naive = {
        "by its own clock": new NaiveClient(path, () => Math.floor(Date.now() / 1000)),
        "by the largest updated": new NaiveClient(path, (newest) => newest + 1),
        "by Next-Since, without deletions": new NaiveClient(path, (_, nextSince) => nextSince),
      }
      const byLists = new ListClient(path)
      const good = new GoodPartner("partner-a")
      const clients = [
        ...Object.values(naive),
        { poll: () => byLists.poll(service) },
        { poll: () => good.step(service) },
      ]
      const poll = async () => {
        for (const client of clients) await client.poll(service)
      }
      await poll()
      const short = { open: { min: 2, max: 4 }, pause: { min: 0, max: 0 } }
      const writeLate = async (writer: LateWriter) => {
        for (let step = 0; step < 3; step++) await writer.step(service)
      }
      const writer = new Writer(103)
      const late = [101, 102].map((seed) => new LateWriter(seed, short))
      const play = async () => {
        let isWriting = true
        const writing = Promise.all(late.map(writeLate)).finally(() => isWriting = false)
        // On a slow machine there are few steps meanwhile, and perhaps no deletion among them.
        for (let step = 0; isWriting || step < 60; step++) {
          await writer.step(service)
          await poll()
          await setTimeout(100)
        }
        await writing
        await poll()
        return new Map(
          (await recordsOf(database, "guest")).map(({ id, updated }) => [id, updated]),
        )
      }
      let truth = await play()
      const missedBy = ({ copy }: NaiveClient) =>
        [...truth].filter(([id, updated]) => copy.get(id) !== updated)
      const losers = [naive["by its own clock"], naive["by the largest updated"]]
      // Nor does anybody lose something each time, if polls take as long as transactions.
      while (losers.some((client) => missedBy(client).length === 0)) truth = await play()
      for (const [name, client] of Object.entries(naive)) {
        const missed = missedBy(client)
        const kept = [...client.copy.keys()].filter((id) => !truth.has(id))
        t.equal(
          missed.length > 0,
          !name.includes("Next-Since"),
          `${name}, ${missed.length} are lost`,
        )
        t.ok(kept.length > 0, `${name}, ${kept.length} that were deleted are kept`)
      }
      t.strictSame(byLists.copy, truth, "by Next-Since and deletions")
      const guests = [...good.copy.records].filter(([key]) => key.startsWith("guests "))
      t.strictSame(
        new Map(guests.map(([, { id, updated }]) => [id, updated])),
        truth,
        "by the feed",
      )
    },
  )

  await t.test("a partner is pinged and polls, before its next step, and after the service was started again", async (t) => {
    const { database, service } = await freshDemonstration(t, engine)
    const receivers = () =>
      database.writer.selectFrom("ping_receiver").select(["url", "state"]).execute()
    const work = { db: database.writer, scene: sceneOf(bigEvent) }
    work.scene.faker.seed(5)
    let former: string | undefined
    for (let start = 1; start <= 2; start++) {
      const end = new AbortController()
      const running = { ...service, signal: end.signal }
      const partner = new PingedPartner("partner-a")
      for (let step = 1; step <= 2; step++) await partner.step(running)
      const [receiver] = await until(async () => {
        const found = await receivers()
        return found[0]?.state === "on" ? found : undefined
      })
      t.equal((await receivers()).length, 1, "none is left over from before")
      t.not(receiver?.url, former)
      former = receiver?.url
      const { length: before } = [...partner.copy.records.keys()]
      await turnOver(work, "guest")
      const size = await until(() => {
        const { size } = partner.copy.records
        return Promise.resolve(size === before ? undefined : size)
      })
      t.equal(Math.abs(size - before), 1, "it has a guest more, or less")
      end.abort()
      await t.rejects(fetch(former ?? ""), "the receiver ends with the demonstration")
    }
  })

  await t.test("a since that is more than a minute ahead is a 400", async (t) => {
    const { service } = await freshDemonstration(t, engine)
    const now = Math.floor(Date.now() / 1000)
    const read = new Client("acme-export")
      .send(service, `/acme/v1/events/${eventId}/guests?since=${now + 120}`)
    await t.rejects(read, { status: 400, code: "invalid_parameter" })
  })

  await t.test("simulated partners log in again when their session is revoked, and never with a wrong password", async (t) => {
    const { database, service, requestsOf } = await freshDemonstration(t, engine)
    const good = new GoodPartner("partner-a")
    const sessions = () =>
      requestsOf("partner-a").filter(({ path }) => path === "/session").map(({ status }) => status)
    await good.step(service)
    await database.writer.deleteFrom("session").execute()
    await good.step(service)
    t.strictSame(sessions(), [204, 204])

    await setDisabled(database, "partner-a", true)
    t.equal(await good.step(service), 60)
    await setDisabled(database, "partner-a", false)
    t.ok(await good.step(service) < 60)
    t.strictSame(sessions(), [204, 204, 204])

    await setPassword(database, "partner-a", "another password")
    t.equal(await good.step(service), 60)
    t.strictSame(sessions(), [204, 204, 204], "no log-in failed")
  })
})

await t.test("the writer makes the same changes with the same seed, and others with another", async (t) => {
  const [one, same, other] = await Promise.all([101, 101, 102].map(async (seed) => {
    const database = await freshDatabase(t, "sqlite")
    await withHistory(database, (db) =>
      demonstration.fill({
        db,
        dialect: database.dialect.name,
        hashPassword: () => Promise.resolve("a hash"),
      }))
    const writer = new Writer(seed)
    for (let step = 0; step < 40; step++) await writer.step({ db: database.writer })
    return JSON.stringify(await contents(database, "="))
  }))
  t.ok(one === same)
  t.ok(one !== other)
})

/** Repeats a look until it finds something. */
async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    await setTimeout(50)
  }
}

/** A request of a simulated partner, and its response. */
interface Sent {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly hasNext: boolean
}

/** Starts the service with the demonstration, as participants see it. */
async function freshDemonstration(t: Test, engine: Engine) {
  // Its receiver of pings is on this machine.
  const { database, request } = await freshApp(t, engine, { environment: { DEMO_LIVE: "true" } })
  await fillDemonstration(demonstration, database)
  const names = new Map<string, string>()
  const sent: (Sent & { readonly account: string | undefined })[] = []
  return {
    database,
    service: {
      db: database.writer,
      dialect: database.dialect.name,
      signal: new AbortController().signal,
      async request(path: string, init: RequestInit = {}) {
        const response = await request(path, init)
        const [cookie] = response.headers.getSetCookie()[0]?.split(";") ?? []
        const { username } = JSON.parse(String(init.body ?? "{}"))
        if (username && cookie) names.set(cookie, username)
        const account = username ?? names.get(new Headers(init.headers).get("cookie") ?? "")
        const { method = "GET" } = init
        const hasNext = response.headers.get("link")?.includes("next") ?? false
        sent.push({ account, method, path, status: response.status, hasNext })
        return response
      },
    },
    /** Returns the requests of an account so far. */
    requestsOf: (name: string) => sent.filter(({ account }) => account === name),
  }
}

/** Returns the rows that belong to the running event, or to the others, without what differs per run. */
async function contents(
  { writer }: Database,
  operator: "=" | "!=",
): Promise<Readonly<Record<(typeof tables)[number], readonly string[]>>> {
  const found = await Promise.all(tables.map(async (table) => {
    const rows = await writer.selectFrom(table as "guest").selectAll()
      .where("event_id", operator, eventId).execute()
    const own = rows.map((row) =>
      JSON.stringify({ ...row, created: 0, updated: 0, export_version: 0 })
    )
    return [table, own.sort()]
  }))
  return Object.fromEntries(found)
}

async function recordsOf({ writer }: Database, table: (typeof recordTables)[number]) {
  return await writer.selectFrom(table as "guest").select(["id", "updated"])
    .where("event_id", "=", eventId).execute()
}

async function countOf(database: Database, table: (typeof recordTables)[number]): Promise<number> {
  return (await recordsOf(database, table)).length
}

/** Tests the values that sets limit, of the running event. */
async function testStatuses(t: Test, { writer }: Database): Promise<void> {
  for (const table of itemTables) {
    const rows = await writer.selectFrom(table as "ticket").select("status")
      .where("event_id", "=", eventId).execute()
    const statuses = new Set(rows.map(({ status }) => status))
    for (const status of statuses) t.match(status, /^(active|sold_out|withdrawn)$/, table)
  }
  const consents = await writer.selectFrom("consent").select(["asked", "status", "channels"])
    .where("event_id", "=", eventId).execute()
  t.ok(
    consents.every(({ asked, status, channels }) =>
      status === "active" ? asked === 1 && channels !== "" : channels === ""
    ),
  )
}
