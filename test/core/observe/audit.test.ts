import t from "tap"
import { Batch } from "../../../core/data/batch.ts"
import { listAudit, pruneAudit } from "../../../core/observe/audit-log.ts"
import { startInstance } from "../../../core/kernel/instance.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { testConfig } from "../../support/app.ts"
import { Builder, password } from "../../support/builder.ts"
import { freshUrl, onEveryEngine, openFor } from "../../support/database.ts"

await onEveryEngine(t, async (t, engine) => {
  const url = await freshUrl(t, engine)
  const database = await openFor(t, url)
  await migrate(database)
  const build = new Builder(database)
  const event = await build.event(await build.organization("acme"))
  for (let n = 0; n < 3; n++) await build.guest(event, { first_name: "Jane", last_name: "Doe" })
  await build.account("ann")
  await build.grant("ann", { event })
  const entries: Record<string, unknown>[] = []
  const record = (fields: object, message: string) => void entries.push({ ...fields, message })
  const instance = await startInstance(await testConfig(url), {
    log: { debug: record, info: record, warn: record, error: record },
  })
  const fetch = (path: string, init?: RequestInit) =>
    instance.fetch(new Request(`http://localhost${path}`, init), { address: "192.0.2.1" })
  const logIn = (word: string, username = "ann") =>
    fetch("/session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username, password: word }),
    })
  await logIn("a wrong password")
  await logIn("a wrong password", "jane.doe@example.org")
  const headers = { cookie: (await logIn(password)).headers.get("set-cookie") ?? "" }
  const path = `/connector-b/v1/events/${event}`
  await fetch(`${path}/guests?since=5&offset=1&q=jane%20doe`, { headers })
  await fetch(`${path}/items?since=-1`, { headers })
  await fetch(`${path}/guests?since=jane@example.org&q=%E4`, { headers })
  await fetch(`/connector-b/v1/events/${crypto.randomUUID()}/guests`, { headers })
  await fetch("/session", { headers })
  await fetch(`${path}/guests`)
  await instance.close()

  await t.test("every listing of an account and every log-in is there, with what was sent", async (t) => {
    const found = (await listAudit(database, { limit: 100 })).map((entry) => [
      entry.action,
      entry.account,
      entry.event_id === event ? "event" : entry.event_id === null ? null : "another",
      entry.since,
      entry.first,
      entry.search_length,
      entry.sent,
      entry.status,
      entry.code,
    ])
    t.strictSame(found, [
      ["log-in", "ann", null, null, null, null, null, 401, "invalid_credentials"],
      ["log-in", null, null, null, null, null, null, 401, "invalid_credentials"],
      ["log-in", "ann", null, null, null, null, null, 204, null],
      ["list", "ann", "event", 5, 1, 8, 2, 200, null],
      ["list", "ann", "event", -1, null, null, 0, 200, null],
      ["list", "ann", "event", null, null, 1, null, 400, "invalid_parameter"],
      ["list", "ann", "another", null, null, null, null, 404, "event_not_found"],
    ])
  })

  await t.test("the line in the log says the same", async (t) => {
    t.match(entries.find(({ searchLength }) => searchLength === 8), {
      account: "ann",
      family: "connector-b",
      event,
      since: 5,
      offset: 1,
      rows: 2,
      status: 200,
      address: "192.0.2.1",
      ms: Number,
      dbMs: Number,
      bytes: Number,
      role: "partner",
      id: String,
    })
  })

  await t.test("neither has what people typed", async (t) => {
    const all = JSON.stringify([entries, await listAudit(database, { limit: 100 })])
    t.notMatch(all, /jane|doe@|wrong password|correct horse/i)
  })

  await t.test("listAudit picks by account, event and time", async (t) => {
    const count = async (query: object) =>
      (await listAudit(database, { limit: 100, ...query })).length
    t.equal(await count({ account: "ann" }), 6)
    t.equal(await count({ event }), 3)
    t.equal(await count({ since: Math.floor(Date.now() / 1000) + 60 }), 0)
    t.equal(await count({ limit: 2 }), 2)
  })

  await t.test("pruneAudit deletes what is older than the days that are kept", async (t) => {
    await database.writer.updateTable("audit_log").set({ at: 5 }).where("action", "=", "log-in")
      .execute()
    t.equal(await pruneAudit(database, 365), 3)
    t.equal((await listAudit(database, { limit: 100 })).length, 4)
  })
})

t.test("an audit log that cannot be written delays and fails nothing", async (t) => {
  const logged: string[] = []
  let writes = 0
  const batch = new Batch<number>(
    () => {
      writes++
      return Promise.reject(new Error("no such table"))
    },
    {
      log: {
        debug: () => {},
        info: () => {},
        warn: () => {},
        error: (_, message) => void logged.push(message),
      },
      name: "audit",
      most: 3,
      delay: 1,
    },
  )
  for (let n = 0; n < 5; n++) batch.add(n)
  await batch.drain()
  t.equal(writes, 1)
  t.strictSame(logged, ["entries were dropped", "entries cannot be written now"])
})

t.test("Batch writes in order, what failed first", async (t) => {
  const written: number[] = []
  let failing = true
  const batch = new Batch<number>(
    async (items) => {
      if (failing) throw new Error("away")
      written.push(...items)
    },
    {
      log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
      name: "x",
      delay: 1,
    },
  )
  for (let n = 0; n < 300; n++) batch.add(n)
  await batch.drain()
  failing = false
  batch.add(300)
  await batch.drain()
  t.strictSame(written, Array.from({ length: 301 }, (_, n) => n))
})
