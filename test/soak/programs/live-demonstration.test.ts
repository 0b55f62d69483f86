import t, { type Test } from "tap"
import { password } from "../../../config/demo/accounts.ts"
import { bigEvent } from "../../../config/demo/events.ts"
import {
  ForgetfulPartner,
  GoodPartner,
  LoggedOutPartner,
} from "../../../config/demo/live/partners.ts"
import { Writer } from "../../../config/demo/live/writer.ts"
import { hashPassword } from "../../../core/access/passwords.ts"
import type { Database } from "../../../core/data/database.ts"
import { freshApp } from "../../support/app.ts"
import { demoPlatform } from "../../support/demo-platform.ts"
import { type Engine, onEveryEngine } from "../../support/database.ts"

const eventId = bigEvent.row.uuid
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
    const { database, service, takeOver, requestsOf } = await freshDemonstration(t, engine)
    const others = await contents(database, "!=")
    const before = await contents(database, "=")
    const writer = new Writer(101)
    const good = new GoodPartner("partner-a")
    const forgetful = new ForgetfulPartner("partner-b")
    const loggedOut = new LoggedOutPartner("borealis-export")
    const sizes = new Set<string>()
    for (let step = 0; step < 240; step++) {
      const seconds = await writer.step(service)
      t.ok(seconds >= 1 && seconds <= 20)
      if (step % 11 === 0) await takeOver()
      if (step % 12 === 0) {
        for (const partner of [good, forgetful, loggedOut]) await partner.step(service)
      }
      if (step % 11 !== 0) continue
      for (const table of ["guest", "ticket"] as const) {
        sizes.add(`${(await recordsOf(database, table)).length} ${table}`)
      }
    }
    await takeOver()
    await good.step(service)

    const comeAndGo = ["1300 ticket", "1301 ticket", "2600 guest", "2601 guest"]
    t.strictSame([...sizes].sort(), comeAndGo)
    const deletions = await database.writer.selectFrom("deletion").select("category").execute()
    const deleted = Map.groupBy(deletions, ({ category }) => category)
    t.strictSame([...deleted.keys()].sort(), ["guests", "tickets"])
    t.ok([...deleted.values()].every(({ length }) => length >= 15), "in six minutes")
    t.strictSame(await contents(database, "!="), others, "no other event changes")
    const after = await contents(database, "=")
    for (const table of ["guest", "consent", "address", "buy_now_item", "ticket"] as const) {
      t.notSame(after[table], before[table], `${table} changes`)
    }
    const versions = (rows: readonly unknown[]) =>
      (rows as { id: string; updated: number }[]).map(({ id, updated }) => `${id} ${updated}`)
        .sort()
    const truth = await Promise.all(recordTables.map((name) => recordsOf(database, name)))
    t.strictSame(versions([...good.copy.records.values()]), versions(truth.flat()))
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
})

/** A request of a simulated partner, and its response. */
interface Sent {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly hasNext: boolean
}

/** Starts the service with the demonstration, as participants see it. */
async function freshDemonstration(t: Test, engine: Engine) {
  const { database, request } = await freshApp(t, engine)
  const { platform, takeOver } = await demoPlatform(
    t,
    engine,
    database,
    await hashPassword(password),
  )
  await takeOver()
  const names = new Map<string, string>()
  const sent: (Sent & { readonly account: string | undefined })[] = []
  return {
    database,
    takeOver,
    service: {
      db: database.writer,
      platform: platform as never,
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
