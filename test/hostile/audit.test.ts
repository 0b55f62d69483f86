import { openMetrics } from "../support/metrics.ts"
import { setTimeout } from "node:timers/promises"
import { sql } from "kysely"
import t, { type Test } from "tap"
import { Batch } from "../../core/data/batch.ts"
import type { Database } from "../../core/data/database.ts"
import { startInstance } from "../conformance/instance.ts"
import {
  appendAudit,
  type AuditEntry,
  listAudit,
} from "../../plugins/capabilities/audit/audit-log.ts"
import { type ItemCategory, itemKinds } from "../../core/records/kinds/items.ts"
import { longestCursor } from "../../core/request/listing/query.ts"
import { testConfig } from "../support/app.ts"
import { Builder, password } from "../support/builder.ts"
import {
  copiedUrl,
  type Engine,
  freshDatabase,
  onEmbedded,
  onEveryEngine,
  openFor,
} from "../support/database.ts"
import { samplesOf, valueOf } from "../support/samples.ts"
import { scannedLog } from "../support/scanned-log.ts"
import { freshWorkshop, logInto } from "../support/service.ts"

await onEveryEngine(t, async (t, engine) => {
  await t.test("entries that the database refuses are dropped and counted, and all others written", async (t) => {
    const database = await freshDatabase(t, engine)
    const log: Record<string, unknown>[] = []
    const batch = new Batch<AuditEntry>(
      (entries, signal) => appendAudit(database, entries, signal),
      { log: scannedLog(t, log), name: "audit" },
    )
    const [good, late] = [entryOf("1"), entryOf("4")]
    batch.add(good)
    batch.add({ ...entryOf("2"), request_id: null } as unknown as AuditEntry)
    // Only MySQL has lengths and character sets.
    if (engine === "mysql") {
      batch.add({ ...entryOf("3"), code: "x".repeat(192) })
      batch.add({ ...entryOf("3"), address: "Straße" })
      batch.add({ ...entryOf("3"), since: 1e300 })
    }
    batch.add(late)
    await batch.close(60_000)
    const written = await listAudit(database, { limit: 10 })
    t.strictSame(written.map(({ request_id }) => request_id), ["1", "4"])
    t.equal(batch.numbers.dropped, engine === "mysql" ? 4 : 1)
    t.ok(log.length > 0)
    t.notMatch(JSON.stringify(log), /xxx|Straße|1e\+?300/)
  })

  await t.test("a walk through all six categories of items does not stop the audit log", async (t) => {
    const url = await copiedUrl(t, engine)
    const database = await openFor(t, url)
    const build = new Builder(database)
    const event = await build.event(await build.organization("acme"))
    // Four bytes each, so that the cursor, which has the search, gets as long as it can.
    const name = "𝐚".repeat(200)
    for (const category of Object.keys(itemKinds) as ItemCategory[]) {
      for (let n = 0; n < 2; n++) await build.item(category, event, { name })
    }
    await build.account("partner-b")
    await build.grant("partner-b", { event })
    const instance = await startInstance(await testConfig(url), { log: scannedLog(t, []) })
    const get = await logInto(instance.fetch, "partner-b")
    const items = `/connector-b/v1/events/${event}/items?since=-1&limit=1`
    const cursors: string[] = []
    for (const path of [items, `${items}&q=${encodeURIComponent(name)}`]) {
      const { headers } = await get(path)
      const next = /<http:\/\/localhost([^>]*)>/.exec(headers.get("link") ?? "")?.[1] ?? ""
      t.equal((await get(next)).status, 200)
      cursors.push(next.replace(/.*cursor=/, ""))
    }
    t.equal((await get(`/connector-b/v1/events/${event}/guests`)).status, 200)
    await instance.close()
    const audited = await listAudit(database, { limit: 100 })
    t.strictSame(
      audited.map(({ cursor_text }) => cursor_text),
      [null, null, cursors[0], null, cursors[1], null],
    )
    const [usual = "", longest = ""] = cursors
    t.ok(usual.length > 500, "this is longer than the column was")
    t.ok(longest.length > 1500 && longest.length <= longestCursor, `${longest.length} characters`)
  })
})

await onEmbedded(t, async (t, engine) => {
  await t.test("entries that cannot be written wait, are reported, and are written without another request", async (t) => {
    const { database, service, guests, get } = await serviceOn(t, engine)
    const metrics = await openMetrics(t, service)
    const age = async () =>
      valueOf(samplesOf((await metrics.read()).text), "event_export_batch_age_seconds", {
        batch: "audit",
      })
    t.match(await ready(service), { ready: true, audit: "ok" })
    await withoutAuditLog(database, async () => {
      t.equal((await get(guests)).status, 200)
      while ((await ready(service)).audit !== "delayed") await setTimeout(50)
      t.match(await ready(service), { ready: true, audit: "delayed" })
      t.ok((await age() ?? 0) > 1)
      t.equal((await get(guests)).status, 200, "it keeps serving")
    })
    while ((await ready(service)).audit !== "ok") await setTimeout(50)
    while ((await listAudit(database, { limit: 10 })).length < 3) await setTimeout(50)
    t.equal(await age(), 0)
  })

  await t.test("with audit.required, lists and log-ins return 503 until entries can be written again", async (t) => {
    const { database, service, guests, get, logIn } = await serviceOn(t, engine, {
      settings: "audit: { required: true }",
    })
    await withoutAuditLog(database, async () => {
      t.equal((await get(guests)).status, 200)
      while ((await ready(service)).status !== 503) await setTimeout(50)
      t.match(await ready(service), { detail: /cannot be recorded/ })
      for (const refused of [get(guests), get("/connector-b/v1/events"), logIn()]) {
        const response = await refused
        t.equal(response.status, 503)
        t.equal(response.headers.get("retry-after"), "5")
        t.match(await response.json(), { code: "unavailable", detail: /cannot be recorded/ })
      }
      t.equal((await get("/session")).status, 200, "what is not recorded is answered")
    })
    while ((await ready(service)).status === 503) await setTimeout(50)
    t.equal((await get(guests)).status, 200)
    t.equal((await logIn()).status, 204)
    await service.close()
    const statuses = (await listAudit(database, { limit: 10 })).map(({ status }) => status)
    t.strictSame(statuses, [204, 200, 200, 204], "refused requests read nothing, and are not there")
  })

  await t.test("entries wait through reloads until the end, and are then counted and logged", async (t) => {
    const { database, service, guests, get, entries } = await serviceOn(t, engine)
    const metrics = await openMetrics(t, service)
    const dropped = async () =>
      valueOf(samplesOf((await metrics.read()).text), "event_export_batch_dropped_total", {
        batch: "audit",
      })
    while ((await listAudit(database, { limit: 10 })).length < 1) await setTimeout(50)
    await closeAuditLog(database)
    for (let reload = 0; reload < 2; reload++) {
      for (let n = 0; n < 2; n++) t.equal((await get(guests)).status, 200)
      t.match(await service.reload("a test"), { result: "applied" })
      t.equal(await dropped(), 0)
    }
    t.equal((await get(guests)).status, 200)
    await service.close()
    const lossesOf = (batch: string) =>
      entries.flatMap(({ message, name, dropped }) =>
        message === "entries were dropped" && name === batch ? dropped : []
      ).toSorted()
    t.strictSame(lossesOf("audit"), [1, 2, 2], "of each configuration")
    t.strictSame(lossesOf("changes"), [1, 1], "each reload has an entry in the one that it opens")
  })

  await t.test("a request that ends while the service closes has its entry", async (t) => {
    const { database, service, logIn } = await serviceOn(t, engine)
    const running = logIn()
    await service.close()
    t.equal((await running).status, 204)
    t.equal((await listAudit(database, { limit: 10 })).length, 2, "with that of the first log-in")
  })
})

/** Starts a service with an event of guests and a partner's session, whose log-in is the first entry. */
async function serviceOn(t: Test, engine: Engine, { settings = "" } = {}) {
  const workshop = await freshWorkshop(t, engine)
  const { build, database, entries } = workshop
  const event = await build.event(await build.organization("acme"))
  await build.guests(event, 3)
  await build.account("ann")
  await build.grant("ann", { event })
  const plugins = `  - use: health
  - use: connector-b
    with: { segment: connector-b, organizations: [acme] }`
  workshop.write(plugins, `limits: { burst: 100000 }\n${settings}`)
  const service = await workshop.start({
    recorderTimes: { patience: 1000, longestPause: 300, closing: 100 },
  })
  const logIn = () =>
    service.fetch(
      new Request("http://localhost/session", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ username: "ann", password }),
      }),
    )
  const get = await logInto(service.fetch, "ann")
  const guests = `/connector-b/v1/events/${event}/guests?since=-1`
  return { database, entries, service, logIn, get, guests }
}

async function ready({ fetch }: { fetch(request: Request): Promise<Response> }) {
  return await (await fetch(new Request("http://localhost/readyz"))).json()
}

/** Lets nothing be written to the audit log while `work` runs. */
async function withoutAuditLog(database: Database, work: () => Promise<void>): Promise<void> {
  const { writer } = database
  await closeAuditLog(database)
  await work()
  await sql`drop view audit_log`.execute(writer)
  await sql`alter table audit_rows rename to audit_log`.execute(writer)
}

/** Puts a view that takes no rows in place of the audit log. */
async function closeAuditLog({ writer }: Database): Promise<void> {
  await sql`alter table audit_log rename to audit_rows`.execute(writer)
  await sql`create view audit_log as select distinct * from audit_rows`.execute(writer)
}

function entryOf(request_id: string): AuditEntry {
  const nothing = { plugin: null, route: null, event_id: null, since: null, first: null }
  return {
    ...{ action: "list", at: 5, account: "ann", address: "192.0.2.1", request_id, ...nothing },
    ...{
      cursor_text: null,
      search_length: null,
      sent: 1,
      status: 200,
      code: null,
      milliseconds: 1,
    },
  }
}
