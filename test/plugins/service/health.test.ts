import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { connect, createServer, type Server, type Socket } from "node:net"
import type { AddressInfo } from "node:net"
import { setTimeout } from "node:timers/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import t, { type Test } from "tap"
import { migrate } from "../../../core/data/migrate.ts"
import { startInstance } from "../../../core/kernel/instance.ts"
import { readinessCheck } from "../../../core/kernel/readiness.ts"
import { freshApp, onEveryApp, secret, testConfig } from "../../support/app.ts"
import { startProcess } from "../../soak/support/service-process.ts"
import { copiedUrl, onEveryEngine, openFor, withoutMysql } from "../../support/database.ts"
import { freshWorkshop } from "../../support/service.ts"
import { runtimes, withoutRuntime } from "../../support/runtimes.ts"

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

await onEveryApp(t, async (t, { request }) => {
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
  })
})

await onEveryEngine(t, async (t, engine) => {
  await t.test("GET /livez and /readyz are logged only at level debug", async (t) => {
    const { request, entries } = await freshApp(t, engine)
    await request("/livez")
    await request("/readyz")
    await request("/session")
    t.match(entries.map(({ level, route }) => ({ level, route })), [
      { level: "debug", route: "/livez" },
      { level: "debug", route: "/readyz" },
      { level: "info", route: "/session" },
    ])
  })

  await t.test("GET /readyz returns 503 without a database, and /livez 200", async (t) => {
    const { instance, get } = await instanceOn(t, await freshMigratedUrl(t, engine))
    await instance.database.close()
    t.match(await get("/readyz"), {
      status: 503,
      body: { code: "unavailable", detail: /the database does not respond/ },
      retryAfter: "1",
    })
    t.match(await get("/livez"), { status: 200 })
  })

  await t.test("GET /readyz returns 503 if migrations are pending", async (t) => {
    const url = await freshMigratedUrl(t, engine)
    const { get } = await instanceOn(t, url)
    const { writer } = await openFor(t, url)
    await writer.deleteFrom("kysely_migration" as never).where(
      "name" as never,
      "=",
      "0017-forgotten-deletions" as never,
    ).execute()
    t.match(await get("/readyz"), { status: 503, body: { detail: /migrations are pending/ } })
  })

  await t.test("GET /readyz returns 200 if no migration was ever applied: the tables are the operator's", async (t) => {
    const url = await freshMigratedUrl(t, engine)
    const { writer } = await openFor(t, url)
    await writer.deleteFrom("kysely_migration" as never).execute()
    const { get } = await instanceOn(t, url)
    t.match(await get("/readyz"), { status: 200, body: { migrations: "ok" } })
  })

  await t.test("readinessCheck queries the database once for many concurrent calls", async (t) => {
    const statements: string[] = []
    const database = await openFor(t, await freshMigratedUrl(t, engine), {
      onStatement: (sql) => void statements.push(sql),
    })
    await checkOf(database, { memory: 3_600_000 }).readiness()
    const ofOne = statements.length
    t.ok(ofOne > 0)
    const check = checkOf(database, { memory: 3_600_000 })
    await Promise.all(Array.from({ length: 100 }, () => check.readiness()))
    const sent = statements.length
    t.equal(sent, 2 * ofOne)
    await Promise.all(Array.from({ length: 100 }, () => check.readiness()))
    t.equal(statements.length, sent)
    const forgetful = checkOf(database, { memory: 0 })
    await forgetful.readiness()
    await forgetful.readiness()
    t.ok(statements.length > sent)
  })

  await t.test("readinessCheck refuses requests for entries that wait to be written only if they are required", async (t) => {
    const database = await openFor(t, await freshMigratedUrl(t, engine))
    const of = (required: boolean, audit: "ok" | "delayed") =>
      checkOf(database, { memory: 0, required, audit }).readiness()
    t.match(await of(false, "delayed"), { ready: true, audit: "delayed" })
    t.match(await of(true, "delayed"), { ready: false, audit: "delayed" })
    t.match(await of(true, "ok"), { ready: true, audit: "ok" })
  })
})

t.test(
  "readinessCheck is not ready while the database does not respond, and ready again afterwards",
  {
    skip: withoutMysql,
  },
  async (t) => {
    const url = new URL(await freshMigratedUrl(t, "mysql"))
    const proxy = await openProxy(t, Number(url.port), url.hostname)
    url.port = String(proxy.port)
    url.hostname = "127.0.0.1"
    const database = await openFor(t, url.href)
    const check = checkOf(database, { memory: 0, patience: 300 })
    // On a busy machine, the database may take longer than the check waits.
    const untilReady = async () => {
      while (!(await check.readiness()).ready) await setTimeout(50)
    }
    await untilReady()
    proxy.pause()
    t.match(await check.readiness(), { ready: false, database: "away" })
    proxy.resume()
    await untilReady()
  },
)

t.test("GET /readyz reports a failed optional plugin and a refused reload, and stays ready", async (t) => {
  const workshop = await freshWorkshop(t)
  workshop.write("  - use: health\n  - use: nothing\n    optional: true")
  const service = await workshop.start()
  const ready = async () =>
    await (await service.fetch(new Request("http://localhost/readyz"))).json()
  t.match(await ready(), {
    ready: true,
    config: "ok",
    families: { health: "ok", nothing: "failed" },
  })
  writeFileSync(workshop.file, "nonsense")
  await service.reload("a test")
  t.match(await ready(), { ready: true, config: "refused" })
  service.drain()
  t.match(await ready(), { status: 503, detail: /about to end/ })
})

t.test("GET /readyz returns 429 only to an address that sends too many requests", async (t) => {
  const url = await freshMigratedUrl(t, "sqlite")
  const config = await testConfig(url)
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

for (const runtime of runtimes) {
  t.test(`the process on ${runtime} is not ready while it drains, but still responds`, {
    skip: withoutRuntime(runtime),
  }, async (t) => {
    const { url, child } = await startProcess(t, runtime, {
      DATABASE_URL: await freshMigratedUrl(t, "sqlite"),
      SESSION_SECRET: secret,
      PORT: "0",
      CONFIG: drainingConfig(t),
    })
    t.equal((await fetch(`${url}/readyz`)).status, 200)
    child.kill("SIGTERM")
    let response = await fetch(`${url}/readyz`)
    // The signal arrives asynchronously.
    while (response.status === 200) response = await fetch(`${url}/readyz`)
    t.match(await response.json(), { detail: "Not ready: the process is about to end." })
    t.equal((await fetch(`${url}/session`)).status, 401)
    t.equal((await fetch(`${url}/livez`)).status, 200)
    const [code] = await once(child, "exit")
    t.equal(code, 0)
  })
}

async function freshMigratedUrl(t: Test, engine: "sqlite" | "mysql"): Promise<string> {
  const url = await copiedUrl(t, engine)
  await migrate(await openFor(t, url))
  return url
}

async function instanceOn(t: Test, url: string) {
  const instance = await startInstance(await testConfig(url), { log })
  t.teardown(() => instance.close().catch(() => {}))
  const get = async (path: string) => {
    const response = await instance.fetch(new Request(`http://localhost${path}`))
    const retryAfter = response.headers.get("retry-after")
    return { status: response.status, body: await response.json(), retryAfter }
  }
  return { instance, get }
}

function checkOf(
  database: Parameters<typeof readinessCheck>[0],
  { required = false, audit = "ok", ...options }: {
    memory: number
    patience?: number
    required?: boolean
    audit?: "ok" | "delayed"
  },
) {
  const nothing = { plugins: [], failed: [] }
  const readiness = readinessCheck(database, nothing, {
    lastReload: () => null,
    draining: new AbortController().signal,
    recorders: { state: audit, isRefusing: required && audit === "delayed" },
    nodes: {
      areMany: false,
      isCutOff: false,
      assertAnyFit: () => database.ping(),
      changes: { isBlind: false },
    },
    ...options,
  })
  return { readiness }
}

/** Writes the default configuration with two seconds to drain, and returns its path. */
function drainingConfig(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const file = join(folder, "config.yaml")
  const text = readFileSync("config/event-export.yaml", "utf8")
  writeFileSync(file, text.replace("  drain: 0", "  drain: 2"))
  return file
}

/** Opens a proxy to a server, which passes nothing on while it is paused. */
async function openProxy(t: Test, port: number, host: string) {
  const sockets: Socket[] = []
  const server: Server = createServer((near) => {
    const far = connect(port, host)
    for (const [from, to] of [[near, far], [far, near]] as const) {
      sockets.push(from)
      from.pipe(to)
      from.on("error", () => to.destroy())
    }
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    pause: () => sockets.forEach((socket) => socket.unpipe().pause()),
    resume: () => {
      for (let index = 0; index < sockets.length; index += 2) {
        const [near, far] = sockets.slice(index, index + 2) as [Socket, Socket]
        near.pipe(far)
        far.pipe(near)
      }
    },
  }
}
