import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setImmediate, setTimeout } from "node:timers/promises"
import { sql } from "kysely"
import t from "tap"
import { watchFiles } from "../../../core/config/watch.ts"
import { serve } from "../../../core/http/serve.ts"
import { secret } from "../../support/app.ts"
import { onEmbedded } from "../../support/database.ts"
import { freshWorkshop, logInto, type Workshop } from "../../support/service.ts"

const connectorA = "  - use: connector-a\n    with: { segment: connector-a, organizations: [acme] }"
const withItems = `${connectorA}\n  - use: connector-a-items`

async function fill({ build }: Workshop): Promise<string> {
  const organization = await build.organization("acme")
  const event = await build.event(organization)
  await build.item("tickets", event)
  await build.account("partner")
  await build.account("op", "operator")
  await build.grant("partner", { organization: "acme" })
  return `/connector-a/v1/events/${event}/items`
}

/** Writes a plugin with routes for anyone, which `get` declares, and returns what the configuration says of it. */
function writePlugin({ folder }: Workshop, routes: string, own = ""): string {
  writeFileSync(
    join(folder, "plugin.ts"),
    `import { anyone, definePlugin, handler, v } from "event-export/plugin"
    const get = (path, handle) => handler("GET", path, { auth: anyone, handle })
    ${own}
    export default definePlugin({
      apiVersion: 3, name: "own", summary: "Own", settings: v.strictObject({}),
      mount: () => ({ prefix: "/own", routes: [${routes}] }),
    })`,
  )
  return "  - use: ./plugin.ts"
}

await onEmbedded(t, async (t, engine) => {
  await t.test("reload serves items once connector-a-items is added, and 404 not_available once it is removed", async (t) => {
    const workshop = await freshWorkshop(t, engine)
    const items = await fill(workshop)
    workshop.write(connectorA)
    const service = await workshop.start()
    const get = await logInto(service.fetch, "partner")
    const readItems = async () => {
      const response = await get(items)
      const body = await response.json()
      return [response.status, body.code ?? body.tickets.length]
    }
    t.strictSame(await readItems(), [404, "not_available"])
    workshop.write(withItems)
    t.match(await service.reload("a test"), { result: "applied", reason: null })
    t.strictSame(await readItems(), [200, 1], "the session stays valid")
    workshop.write(connectorA)
    t.match(await service.reload("a test"), { result: "applied" })
    t.strictSame(await readItems(), [404, "not_available"])
  })
})

const bad: Record<string, [change: (workshop: Workshop) => void, reason: RegExp]> = {
  "invalid YAML": [({ write }) => write("  - {"), /config.yaml:\d+:\d+: /],
  "a missing plugin": [
    ({ write }) => write("  - use: nothing"),
    /there is no plugin nothing/,
  ],
  "exponential anchors": [({ file }) => writeFileSync(file, exponentialAnchors()), /alias/i],
  "another address": [
    (workshop) => replace(workshop, "port: 0", "port: 1"),
    /^The file changes server\.port \(0 becomes 1\), which takes a restart\. Nothing was applied: restart the /,
  ],
  "proxies that are trusted only when it starts to listen": [
    (workshop) =>
      replace(workshop, "port: 0", "port: 0, trust_proxy: [10.0.0.0/8], connections: 5"),
    /server\.connections \(1000 becomes 5\), server\.trust_proxy \(gains 10\.0\.0\.0\/8\), which takes a restart/,
  ],
  "another database, of which it shows nothing": [
    (workshop) => replace(workshop, workshop.url, "mysql://root:hidden@127.0.0.1:9/none"),
    /^The file changes database\.url \(has another value\), which takes a restart\./,
  ],
  "other connections": [
    (workshop) => replace(workshop, "database: {", "database: { connections: 3,"),
    /database\.connections \(10 becomes 3\), which takes a restart/,
  ],
  "other capabilities": [
    (workshop) => workshop.write(connectorA, "capabilities: [audit]"),
    /capabilities \(loses accounts, .*\), which takes a restart/,
  ],
  "a plugin that throws when it is loaded": [
    (workshop) => workshop.write(writePlugin(workshop, "", 'throw new Error("no luck")')),
    /it does not load: no luck/,
  ],
}

t.test("reload refuses a bad configuration with the reason, and the old one stays in force", async (t) => {
  const workshop = await freshWorkshop(t)
  const items = await fill(workshop)
  workshop.write(withItems)
  const service = await workshop.start()
  const get = await logInto(service.fetch, "partner")
  const asOperator = await logInto(service.fetch, "op")
  for (const [name, [change, reason]] of Object.entries(bad)) {
    await t.test(`reload refuses ${name}`, async (t) => {
      const { hash } = service.instance.config
      change(workshop)
      t.match(await service.reload("a test"), { result: "refused", trigger: "a test", reason })
      t.equal(service.instance.config.hash, hash)
      t.equal((await get(items)).status, 200)
      t.match(await (await asOperator("/status")).json(), {
        lastReload: { result: "refused", reason },
      })
      t.match(workshop.entries.at(-3), { level: "error", reason })
    })
  }
  await t.test("reload applies a good configuration after bad ones", async (t) => {
    workshop.write(connectorA)
    t.match(await service.reload("a test"), { result: "applied" })
    t.equal((await get(items)).status, 404)
    const status = await asOperator("/status")
    t.equal(status.headers.get("cache-control"), "no-store")
    t.match(await status.json(), {
      lastReload: { result: "applied", reason: null },
      plugins: [{ name: "session" }, { name: "status" }, {
        name: "connector-a",
        prefixes: ["/connector-a/v1"],
      }],
    })
  })
})

t.test("start and reload log what is wrong with the set-up, and what to do", async (t) => {
  const workshop = await freshWorkshop(t)
  const warnings = () => workshop.entries.splice(0).filter(({ level }) => level === "warn")
  workshop.write(connectorA)
  const service = await workshop.start()
  t.match(warnings(), [{ about: "organization acme", message: /^organization acme: .*Correct/ }])
  await fill(workshop)
  workshop.write(connectorA, "limits: { concurrent: 100 }")
  t.match(await service.reload("a test"), { result: "applied" })
  t.match(warnings(), [{ about: "limits.concurrent", message: /^limits\.concurrent: 100 / }])
  workshop.write(connectorA)
  t.match(await service.reload("a test"), { result: "applied" })
  t.strictSame(warnings(), [])
})

t.test("reload loads a changed plugin file again", async (t) => {
  const workshop = await freshWorkshop(t)
  const write = (text: string) =>
    writePlugin(workshop, `get("/hello", () => new Response(${JSON.stringify(text)}))`)
  workshop.write(write("one"))
  const service = await workshop.start()
  const hello = async () =>
    await (await service.fetch(new Request("http://localhost/own/hello"))).text()
  t.equal(await hello(), "one")
  // The last has as many bytes as the one before.
  for (const text of ["number two", "number ten"]) {
    write(text)
    t.match(await service.reload("a test"), { result: "applied" })
    t.equal(await hello(), text)
  }
})

t.test("a reload replaces the log, and keeps it if it is refused", async (t) => {
  const workshop = await freshWorkshop(t)
  workshop.write("  - use: health")
  const made: object[] = []
  const ignore = () => {}
  const service = await workshop.start({
    log: () => {
      const log = { debug: ignore, info: ignore, warn: ignore, error: ignore }
      made.push(log)
      return log
    },
  })
  t.equal(service.log, made[0])
  workshop.write("  - use: health", "log: { level: debug }")
  t.match(await service.reload("a test"), { result: "applied" })
  t.equal(service.log, made[1])
  const other = `sqlite:${join(workshop.folder, "other.db")}`
  for (const [plugin, url] of [["./missing", workshop.url], ["health", other]] as const) {
    workshop.write(`  - use: ${plugin}`)
    writeFileSync(workshop.file, readText(workshop.file).replace(workshop.url, url))
    t.match(await service.reload("a test"), { result: "refused" })
    t.equal(service.log, made[1])
  }
})

t.test("close waits for the running requests of a configuration that was replaced", async (t) => {
  const workshop = await freshWorkshop(t)
  const plugin = writePlugin(
    workshop,
    `get("/wait", () => promise), get("/go", () => { resolve(new Response("done")); return promise })`,
    "const { promise, resolve } = Promise.withResolvers()",
  )
  workshop.write(plugin)
  const service = await workshop.start()
  const order: string[] = []
  const send = (path: string) => service.fetch(new Request(`http://localhost${path}`))
  const waiting = send("/own/wait").then(() => order.push("answered"))
  workshop.write(`${plugin}\n  - use: health`)
  t.match(await service.reload("a test"), { result: "applied" })
  const closing = service.close().then(() => order.push("closed"))
  await setTimeout(50)
  t.strictSame(order, [])
  await send("/own/go")
  await Promise.all([waiting, closing])
  t.strictSame(order, ["answered", "closed"])
})

t.test("what is recorded once a page is sent is recorded though its configuration was replaced meanwhile", async (t) => {
  const workshop = await freshWorkshop(t)
  const items = await fill(workshop)
  workshop.write(withItems)
  const service = await workshop.start()
  const { cookie } = await logInto(service.fetch, "partner")
  const { promise: gone, resolve } = Promise.withResolvers<boolean>()
  await service.answer(new Request(`http://localhost${items}?since=0`, { headers: { cookie } }), {
    address: "192.0.2.1",
    whenGone: (listener) => void gone.then(listener),
  })
  t.match(await service.reload("a test"), { result: "applied" })
  const closing = service.close()
  t.equal(await Promise.race([closing, setTimeout(50, "open")]), "open", "the page is being sent")
  resolve(true)
  await closing
  const walks = await workshop.database.writer.selectFrom("sync_state")
    .select("walk_completed").where("list", "=", "items").execute()
  t.equal(walks.length, 1)
  t.ok(walks[0]?.walk_completed, "the walk is complete")
})

t.test("what a replaced configuration cannot record is recorded once the database can", async (t) => {
  const workshop = await freshWorkshop(t)
  const items = await fill(workshop)
  workshop.write(withItems)
  const service = await workshop.start({
    recorderTimes: { every: 1, longestPause: 1, closing: 0 },
  })
  const { cookie } = await logInto(service.fetch, "partner")
  const { writer } = workshop.database
  await sql`alter table sync_state rename to away`.execute(writer)
  const page = await service.fetch(
    new Request(`http://localhost${items}?since=0`, { headers: { cookie } }),
  )
  t.equal(page.status, 200, await page.text())
  t.match(await service.reload("a test"), { result: "applied" })
  await setTimeout(50)
  await sql`alter table away rename to sync_state`.execute(writer)
  const rows = () =>
    writer.selectFrom("sync_state").select("records").where("list", "=", "items").execute()
  while ((await rows()).length === 0) await setTimeout(1)
  t.match(await rows(), [{ records: 1 }])
})

t.test("a client that reads nothing keeps a configuration that was replaced no longer than it is served", async (t) => {
  const workshop = await freshWorkshop(t)
  const large = "new Uint8Array(16 * 1024 * 1024)"
  workshop.write(writePlugin(workshop, `get("/large", () => new Response(${large}))`))
  const service = await workshop.start()
  const { url, close } = await serve(service.answer, {
    ...{ host: "127.0.0.1", port: 0, publicUrl: undefined, log: service.log },
    limits: { delivery: 500 },
  })
  t.teardown(close)
  const response = await fetch(`${url}/own/large`)
  t.match(await service.reload("a test"), { result: "applied" })
  await service.close()
  await t.rejects(response.arrayBuffer(), "it is cut off")
})

t.test("a handler or projection that fails in any way fails only that request", async (t) => {
  const workshop = await freshWorkshop(t)
  const items = await fill(workshop)
  const event = items.split("/")[4] ?? ""
  await workshop.build.guest(event)
  const own = `import { granted, guests, leanGuest, listing, rewritten } from "event-export/plugin"
    const list = (name, rewrite) => listing("/" + name + "/:eventId", guests, {
      auth: granted(["acme"]), project: rewritten(leanGuest, leanGuest.schema, rewrite),
    })`
  const plugin = writePlugin(
    workshop,
    `get("/throws", () => { throw new Error("private") }),
    get("/rejects", async () => { throw "private" }),
    get("/nothing", () => undefined),
    get("/never", () => new Promise(() => {})),
    get("/works", () => new Response("fine")),
    list("throwing", () => { throw new Error("private") }),
    list("bigint", (guest) => ({ ...guest, updated: 1n })),
    list("cycle", (guest) => { guest.self = guest; return guest }),`,
    own,
  )
  workshop.write(`${withItems}\n${plugin}`)
  writeFileSync(
    workshop.file,
    readText(workshop.file)
      .replace("port: 0", "port: 0, time_limit: 1")
      .replace("database: {", "database: { time_limit: 300,"),
  )
  const service = await workshop.start()
  const get = await logInto(service.fetch, "partner")
  const expected = {
    ...{ throws: 500, rejects: 500, nothing: 500, never: 503, works: 200 },
    ...{ [`throwing/${event}`]: 500, [`bigint/${event}`]: 500, [`cycle/${event}`]: 500 },
  }
  for (const [path, status] of Object.entries(expected)) {
    const response = await get(`/own/${path}`)
    t.equal(response.status, status, path)
    t.notMatch(await response.text(), /private|BigInt|circular/i)
    if (status !== 200) t.match(workshop.entries.at(-1), { family: "own", status })
    t.equal((await get(items)).status, 200, "other families still work")
  }
})

t.test("no request fails under load during reloads of good and bad configurations", async (t) => {
  const workshop = await freshWorkshop(t)
  const items = await fill(workshop)
  workshop.write(connectorA)
  const service = await workshop.start()
  const get = await logInto(service.fetch, "partner")
  let stop = false
  let responses = 0
  const seen = new Map<string, number>()
  const worker = async () => {
    while (!stop) {
      const response = await get(items)
      const body = await response.json()
      const result = `${response.status} ${body.code ?? Object.keys(body).length}`
      seen.set(result, (seen.get(result) ?? 0) + 1)
      responses++
    }
  }
  const workers = Array.from({ length: 4 }, worker)
  const outcomes = { applied: 0, refused: 0 }
  for (let turn = 0; turn < 8; turn++) {
    workshop.write([connectorA, "  - use: nothing", withItems, "  - {"][turn % 4] ?? "")
    const before = responses
    outcomes[(await service.reload("a test")).result]++
    while (responses < before + 5) await setImmediate()
  }
  stop = true
  await Promise.all(workers)
  t.strictSame(outcomes, { applied: 4, refused: 4 })
  t.strictSame(
    [...seen.keys()].sort(),
    ["200 6", "404 not_available"],
    "each from one configuration or the other",
  )
})

t.test("files names the files of the configuration in force and of a refused one, whose change is applied", async (t) => {
  const workshop = await freshWorkshop(t)
  const { file, folder } = workshop
  const [secrets, url] = [join(folder, "secrets"), join(folder, "url")]
  workshop.write("  - use: health")
  const plain = readText(file)
  const service = await workshop.start()
  const names = () => [...service.files.keys()].sort()
  t.strictSame(names(), [file])
  const stop = watchFiles(() => service.files, () => void service.reload("a change"), 5)
  t.teardown(stop)
  const until = async (condition: () => boolean) => {
    while (!condition()) await setTimeout(5)
  }
  const last = () => service.instance.status().lastReload?.result

  writeFileSync(url, workshop.url, { mode: 0o600 })
  const referring = plain
    .replace(/secrets: .*/, "secrets: [{ file: secrets }] }")
    .replace(/url: "[^"]*"/, "url: { file: url }")
  writeFileSync(file, referring)
  await until(() => last() === "refused")
  t.strictSame(names(), [file, secrets, url].sort(), "also the one that is missing")

  writeFileSync(secrets, `${secret}\n`, { mode: 0o600 })
  await until(() => last() === "applied")
  t.strictSame(names(), [file, secrets, url].sort())

  writeFileSync(secrets, "weak\n")
  await until(() => last() === "refused")
  t.strictSame(service.instance.config.session.secrets, [secret])
  writeFileSync(secrets, `${secret}\n`)
  await until(() => last() === "applied")
  writeFileSync(secrets, `${secret} and more\n`)
  await until(() => service.instance.config.session.secrets.join() !== secret)
  t.strictSame(service.instance.config.session.secrets, [`${secret} and more`])

  writeFileSync(file, plain)
  await until(() => !service.files.has(secrets))
  t.strictSame(names(), [file])
})

/** Writes a good configuration, and replaces some text of it. */
function replace({ file, write }: Workshop, from: string, to: string): void {
  write(connectorA)
  writeFileSync(file, readText(file).replace(from, to))
}

function readText(file: string): string {
  return readFileSync(file, "utf8")
}

function exponentialAnchors(): string {
  const lines = ["a: &a [x, x, x, x, x, x, x, x, x]"]
  for (const [from, to] of ["ab", "bc", "cd", "de", "ef", "fg", "gh"].map((pair) => [...pair])) {
    lines.push(`${to}: &${to} [${Array(9).fill(`*${from}`).join(", ")}]`)
  }
  return lines.join("\n")
}
