import { writeFileSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import { sql } from "kysely"
import t, { type Test } from "tap"
import { startInstance } from "../../conformance/instance.ts"
import { readinessCheck } from "../../../core/kernel/readiness.ts"
import { onEveryApp, testConfig } from "../../support/app.ts"
import { copiedUrl, onEmbedded, onEveryEngine, openFor, ownUrl } from "../../support/database.ts"
import { freshWorkshop } from "../../support/service.ts"

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

await onEveryApp(t, async (t, { request, entries }) => {
  await t.test("GET /livez and /readyz return short responses to anyone, which are never cached", async (t) => {
    for (const path of ["/livez", "/readyz"]) {
      const response = await request(path)
      t.equal(response.status, 200, path)
      t.equal(response.headers.get("cache-control"), "no-store")
      t.ok((await response.text()).length < 500)
      t.equal((await request(path, { method: "HEAD" })).status, 200)
    }
    const { families, ...state } = await (await request("/readyz")).json()
    t.strictSame(state, {
      ready: true,
      draining: false,
      database: "ok",
      primary: "ok",
      migrations: "ok",
      audit: "ok",
      triggers: "ok",
      config: "ok",
    })
    t.match(families, { session: "ok", health: "ok", "connector-b": "ok" })
    await request("/session")
    // A service in another process writes numbers, and to its own log.
    const own = entries.filter(({ level }) => typeof level === "string")
    const levels = Object.fromEntries(own.map(({ route, level }) => [route, level]))
    if (own.length > 0) {
      t.strictSame(levels, { "/livez": "debug", "/readyz": "debug", "/session": "info" })
    }
  })
})

await onEmbedded(t, async (t, engine) => {
  const freshInstance = async (t: Test) => {
    const url = await copiedUrl(t, engine)
    const database = await openFor(t, url)
    const instance = await startInstance(await testConfig(url), { log })
    t.teardown(() => instance.close().catch(() => {}))
    const get = async (path: string) => {
      const response = await instance.fetch(new Request(`http://localhost${path}`))
      const retryAfter = response.headers.get("retry-after")
      return { status: response.status, body: await response.json(), retryAfter }
    }
    const migrations = database.writer.deleteFrom("kysely_migration" as never)
    return { instance, migrations, get }
  }

  await t.test("GET /readyz returns 503 without a database, and /livez 200", async (t) => {
    const { instance, get } = await freshInstance(t)
    await instance.database.close()
    t.match(await get("/readyz"), {
      status: 503,
      body: { code: "unavailable", detail: /the database does not respond/ },
      retryAfter: /^1$/,
    })
    t.match(await get("/livez"), { status: 200 })
  })

  await t.test("GET /readyz returns 503 if migrations are pending", async (t) => {
    const { migrations, get } = await freshInstance(t)
    await migrations.where("name" as never, "=", "2000-kernel" as never).execute()
    t.match(await get("/readyz"), { status: 503, body: { detail: /migrations are pending/ } })
  })
})

await onEveryEngine(t, async (t, engine) => {
  await t.test("GET /readyz names a table that goes missing, within seconds and until it is back", async (t) => {
    const url = await ownUrl(t, engine)
    const database = await openFor(t, url)
    const instance = await startInstance(await testConfig(url), { log })
    t.teardown(() => instance.close().catch(() => {}))
    const get = async () => await instance.fetch(new Request("http://localhost/readyz"))
    let now = performance.now()
    t.intercept(performance, "now", { value: () => now })
    const becomes = async (status: number) => {
      while ((await get()).status !== status) {
        now += 1001
        await setTimeout(5)
      }
    }
    await becomes(200)
    for (const table of ["consent", "audit_log"]) {
      await sql`alter table ${sql.table(table)} rename to gone`.execute(database.migrator)
      await becomes(503)
      t.match(await (await get()).json(), { detail: `Not ready: the table ${table} is missing.` })
      await sql`alter table gone rename to ${sql.table(table)}`.execute(database.migrator)
      await becomes(200)
    }
  })
})

t.test("readinessCheck queries the database once for many calls, as long as a result counts", async (t) => {
  const countOf = async (memory: number, calls: number) => {
    const { statements, check } = await countedCheck(t, { memory })
    await Promise.all(Array.from({ length: calls }, () => check()))
    await check()
    return statements.length
  }
  const ofOne = await countOf(3_600_000, 1)
  t.ok(ofOne > 0)
  t.equal(await countOf(3_600_000, 100), ofOne)
  t.ok(await countOf(0, 1) > ofOne)
})

t.test("readinessCheck looks at the migrations once per half minute", async (t) => {
  let now = 0
  t.capture(performance, "now", () => now)
  const { statements, check } = await countedCheck(t, { memory: 0 })
  const looks = () => statements.filter((sql) => sql.includes("kysely_migration")).length
  await check()
  const ofOne = looks()
  t.ok(ofOne > 0)
  now = 29_000
  // It looks in the background.
  for (let times = 0; times < 20; times++) await check()
  t.equal(looks(), ofOne)
  now = 31_000
  await check()
  while (looks() < 2 * ofOne) await setTimeout(5)
})

t.test("readinessCheck refuses requests for entries that wait to be written only if they are required", async (t) => {
  const of = async (required: boolean, audit: "ok" | "delayed") =>
    await (await countedCheck(t, { memory: 0, required, audit })).check()
  t.match(await of(false, "delayed"), { ready: true, audit: "delayed" })
  t.match(await of(true, "delayed"), { ready: false, audit: "delayed" })
  t.match(await of(true, "ok"), { ready: true, audit: "ok" })
})

t.test("readinessCheck is not ready while the database does not respond, and ready again afterwards", async (t) => {
  // The patience of a check keeps no process alive.
  const alive = setInterval(() => {}, 1000)
  t.teardown(() => clearInterval(alive))
  let isStalled = true
  const answer = () => isStalled ? new Promise<void>(() => {}) : Promise.resolve()
  const { check } = await countedCheck(t, { memory: 0, patience: 10, answer })
  t.match(await check(), { ready: false, database: "away" })
  isStalled = false
  // On a busy machine, an answer may take longer than the check waits.
  while (!(await check()).ready) await setTimeout(5)
})

t.test("GET /readyz reports a refused reload, and stays ready until it drains", async (t) => {
  const workshop = await freshWorkshop(t)
  workshop.write("  - use: health")
  const service = await workshop.start()
  const ready = async () =>
    await (await service.fetch(new Request("http://localhost/readyz"))).json()
  t.match(await ready(), { ready: true, config: "ok" })
  writeFileSync(workshop.file, "nonsense")
  await service.reload("a test")
  t.match(await ready(), { ready: true, config: "refused" })
  service.drain()
  t.match(await ready(), { status: 503, detail: /about to end/ })
})

t.test("GET /readyz returns 429 only to an address that sends too many requests", async (t) => {
  const config = await testConfig(await copiedUrl(t, "sqlite"))
  const instance = await startInstance({ ...config, limits: { ...config.limits, burst: 2 } }, {
    log,
  })
  t.teardown(() => instance.close())
  const send = async (address: string) =>
    (await instance.fetch(new Request("http://localhost/readyz"), { address })).status
  const flood = await Promise.all(Array.from({ length: 50 }, () => send("192.0.2.1")))
  t.ok(flood.includes(200) && flood.includes(429))
  t.equal(await send("192.0.2.2"), 200)
})

interface Checked {
  readonly memory: number
  readonly patience?: number
  readonly required?: boolean
  readonly audit?: "ok" | "delayed"
  /** Resolves once a server of the database has answered. */
  readonly answer?: () => Promise<void>
}

/** Makes a check of a fresh database, and collects the statements that it sends. */
async function countedCheck(
  t: Test,
  { required = false, audit = "ok", answer, ...options }: Checked,
) {
  const statements: string[] = []
  const url = await copiedUrl(t, "sqlite")
  const database = await openFor(t, url, { onStatement: (sql) => void statements.push(sql) })
  const assertAnyFit = answer ?? (() => database.ping())
  const check = readinessCheck(database, { plugins: [] }, {
    lastReload: () => null,
    draining: new AbortController().signal,
    recorders: { state: audit, isRefusing: required && audit === "delayed" },
    nodes: { areMany: false, isCutOff: false, assertAnyFit, changes: { isBlind: false } },
    ...options,
  })
  return { statements, check }
}
