import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import t, { type Test } from "tap"
import { startInstance } from "../conformance/instance.ts"
import { generous, testConfig } from "../support/app.ts"
import { Builder } from "../support/builder.ts"
import { copiedUrl, type Engine, onEmbedded, openFor } from "../support/database.ts"
import { scannedLog } from "../support/scanned-log.ts"
import { freshWorkshop, logInto } from "../support/service.ts"

/** A request, with what is not the same in all tests. */
interface Sent {
  readonly method?: string
  readonly cookie?: string
  readonly address?: string
}

type Fetch = (request: Request, peer: { address: string }) => Promise<Response>

function senderOf(fetch: Fetch) {
  return (path: string, { method = "GET", cookie, address = "192.0.2.1" }: Sent = {}) =>
    fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: { "x-request-id": "same", ...cookie === undefined ? {} : { cookie } },
      }),
      { address },
    )
}

async function freshInstance(
  t: Test,
  engine: Engine,
  limits: Partial<typeof generous> = {},
  trust_proxy: readonly string[] = [],
) {
  const url = await copiedUrl(t, engine)
  const database = await openFor(t, url)
  const build = new Builder(database)
  const event = await build.event(await build.organization("acme"))
  await build.account("ann")
  await build.grant("ann", { event })
  const entries: Record<string, unknown>[] = []
  const statements: string[] = []
  const config = await testConfig(url)
  const server = { ...config.server, trust_proxy: [...trust_proxy] }
  const instance = await startInstance({ ...config, server, limits: { ...generous, ...limits } }, {
    log: scannedLog(t, entries),
    onStatement: (sql) => void statements.push(sql),
  })
  let isOpen = true
  const close = async () => {
    if (isOpen) await instance.close()
    isOpen = false
  }
  t.teardown(close)
  const logIn = async () => (await logInto(instance.fetch, "ann")).cookie
  const logOut = async () => {
    const cookie = await logIn()
    await send("/session", { method: "DELETE", cookie })
    return cookie
  }
  const send = senderOf(instance.fetch)
  return { database, send, logIn, logOut, close, entries, statements, event }
}

await onEmbedded(t, async (t, engine) => {
  await t.test("requests without a live session are limited by address", async (t) => {
    const { send, logIn, logOut, event } = await freshInstance(t, engine, { burst: 5 })
    const live = await logIn()
    const dead = await logOut()
    const guests = `/connector-b/v1/events/${event}/guests`
    const floods: Record<string, [string, Sent, number]> = {
      "no cookie": [guests, {}, 401],
      "a forged cookie": [guests, { cookie: "event_export_session=Fe26.2*1*x*y*z~2" }, 401],
      "a session that has ended": [guests, { cookie: dead }, 401],
      "unknown paths": ["/nothing", {}, 404],
      "unknown namespaces": ["/globex/v1/events", {}, 401],
      "another method": ["/session", { method: "PUT" }, 405],
    }
    for (const [index, [name, [path, sent, status]]] of Object.entries(floods).entries()) {
      const network = `2001:db8:0:${index + 1}`
      const flood = await Promise.all(
        Array.from({ length: 50 }, (_, n) => send(path, { ...sent, address: `${network}::${n}` })),
      )
      const statuses = new Set(flood.map((response) => response.status))
      t.strictSame([...statuses].sort(), [status, 429].sort(), name)
      const refused = flood.filter((response) => response.status === 429)
      t.ok(refused.length > 25, `${name}: ${refused.length} of 50 were refused`)
      t.equal(refused[0]?.headers.get("retry-after"), "1")
      const same = { address: `${network}:ffff::` }
      t.equal(
        (await send("/session", { ...same, cookie: live })).status,
        200,
        "a live session goes on",
      )
      t.equal((await send("/docs", same)).status, 200, "so do pages for anyone")
    }
  })

  await t.test("a session that has ended costs a statement per second, and a new one begins at once", async (t) => {
    const { send, logIn, logOut, statements } = await freshInstance(t, engine)
    const cookie = await logOut()
    const asked = () => statements.filter((sql) => /from .session. /.test(sql)).length
    const before = asked()
    const began = performance.now()
    for (let n = 0; n < 100; n++) t.equal((await send("/session", { cookie })).status, 401)
    const seconds = Math.ceil((performance.now() - began) / 1000)
    t.ok(asked() - before <= seconds, `${asked() - before} statements in ${seconds} s`)
    const fresh = await logIn()
    for (let n = 0; n < 10; n++) t.equal((await send("/session", { cookie: fresh })).status, 200)
    t.equal((await send("/session", { cookie: fresh, method: "DELETE" })).status, 204)
    t.equal((await send("/session", { cookie: fresh })).status, 401, "it ends at once")
  })

  await t.test("a session that has ended is looked up again after a second", async (t) => {
    const { send, logIn, database } = await freshInstance(t, engine)
    const cookie = await logIn()
    const disable = async (disabled: number) =>
      void await database.writer.updateTable("account").set({ disabled }).execute()
    await disable(1)
    t.equal((await send("/session", { cookie })).status, 401)
    await disable(0)
    while ((await send("/session", { cookie })).status === 401) await setTimeout(50)
    t.pass("it is live again")
  })

  await t.test("a flood is a few lines in the log, which tell its size", async (t) => {
    const { send, logIn, close, entries } = await freshInstance(t, engine)
    const cookie = await logIn()
    entries.length = 0
    const began = performance.now()
    for (let n = 0; n < 200; n++) await send(n % 2 ? "/acme/v1/events" : "/nothing")
    const windows = Math.ceil((performance.now() - began) / 1000) + 1
    for (let n = 0; n < 20; n++) await send("/session", { cookie })
    for (let n = 0; n < 20; n++) await send("/acme/v1/events", { cookie })
    await close()
    const lines = entries.filter(({ message }) => message === "request")
    const refused = lines.filter(({ account }) => account === undefined)
    t.ok(refused.length <= 10 * windows, `${refused.length} lines in ${windows} windows`)
    const rest = entries.filter(({ message }) => message === "more requests were refused")
    const sum = rest.reduce((sum, { requests }) => sum + Number(requests), 0)
    t.equal(refused.length + sum, 200)
    t.match(rest[0], { codes: { unauthenticated: Number, not_found: Number } })
    t.equal(lines.length - refused.length, 40, "requests with a session all have a line")
  })
})

t.test("health checks are limited by address, but not those of loopback and of the proxies in front", async (t) => {
  const { send } = await freshInstance(t, "sqlite", { burst: 2 }, ["10.0.0.0/8"])
  for (const path of ["/livez", "/readyz"]) {
    const isLimited = async (address: string) => {
      const flood = await Promise.all(Array.from({ length: 30 }, () => send(path, { address })))
      return flood.some(({ status }) => status === 429)
    }
    for (const address of ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "10.1.2.3"]) {
      t.equal(await isLimited(address), false, `${path} from ${address}`)
    }
    t.equal(await isLimited("192.0.2.1"), true, path)
  }
  const pages = await Promise.all(
    Array.from({ length: 30 }, () => send("/docs", { address: "127.0.0.1" })),
  )
  t.ok(pages.some(({ status }) => status === 429), "other pages are limited")
})

const secretPlugin =
  `import { definePlugin, family, granted, leanEvent, v } from "event-export/plugin"
export default definePlugin({
  apiVersion: 3, name: "old", summary: "From elsewhere", settings: v.strictObject({}),
  mount: () => family("/old/v1", { auth: granted(["acme"]), events: leanEvent }),
})`

const unattended = `  - use: custom-export
    with: { customers: [{ namespace: acme, organization: acme, service_user: acme-export }] }
  - use: ./old.ts`

t.test("without a live session, no response tells whether there is a namespace", async (t) => {
  const workshop = await freshWorkshop(t)
  writeFileSync(join(workshop.folder, "old.ts"), secretPlugin)
  workshop.write(unattended, "limits: { burst: 100000 }")
  const service = await workshop.start()
  for (const name of ["ann", "gone"]) await workshop.build.account(name)
  const send = senderOf(service.fetch)
  const { cookie: live } = await logInto(service.fetch, "ann")
  const { cookie: dead } = await logInto(service.fetch, "gone")
  await send("/session", { method: "DELETE", cookie: dead })
  const event = crypto.randomUUID()
  const tails = [
    ...["", "/", "/v1", "/v1/", "/v1/events", "/v1/events?limit=0", "/v1/nothing", "/v1x/events"],
    ...[`/v1/events/${event}/guests`, "/v1/events/none/guests", "/v1/events/%ff/guests"],
  ]
  const cookies = [undefined, "event_export_session=Fe26.2*1*x*y*z~2", dead]
  const textOf = async (response: Response) => {
    const headers = [...response.headers].filter(([name]) => name !== "date").sort()
    return JSON.stringify([response.status, headers, await response.text()])
  }
  for (const tail of tails) {
    for (const method of ["GET", "HEAD", "POST", "OPTIONS"]) {
      for (const cookie of cookies) {
        const sent = { method, ...cookie === undefined ? {} : { cookie } }
        const [unknown, ...known] = await Promise.all(
          ["globex", "acme", "old"].map(async (name) =>
            await textOf(await send(`/${name}${tail}`, sent))
          ),
        )
        for (const response of known) t.equal(response, unknown, `${method} …${tail}`)
      }
    }
  }
  const statusOf = async (path: string, method = "GET") => {
    const response = await send(path, { method, cookie: live })
    return [response.status, (await response.json()).code]
  }
  t.strictSame(await statusOf("/acme/v1/events"), [403, "not_service_user"])
  t.strictSame(await statusOf("/globex/v1/events"), [404, "not_found"])
  t.strictSame(await statusOf("/acme/v1/events", "POST"), [405, "method_not_allowed"])
  t.strictSame(await statusOf("/acme/v1/events/%ff/guests"), [400, "malformed_request"])
  t.strictSame(await statusOf("/old/v1/events/%ff/guests"), [404, "not_found"])
  t.strictSame(await statusOf("/old/v1/events"), [200, undefined])
})
