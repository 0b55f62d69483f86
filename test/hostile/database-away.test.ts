import { readFileSync, writeFileSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import t, { type Test } from "tap"
import { withoutMysql } from "../support/database.ts"
import { openRelay } from "../support/relay.ts"
import { freshWorkshop, logInto, type Workshop } from "../support/service.ts"

const family = "  - use: connector-b\n    with: { segment: b, organizations: [acme] }"
const more = `${family}\n  - use: health`

/** A workshop whose service reaches its database through a relay. */
async function workshopBehindRelay(t: Test) {
  const workshop = await freshWorkshop(t, "mysql")
  const relay = await openRelay(t, workshop.url)
  await workshop.build.account("op", "operator")
  const write = (plugins: string, settings?: string) => {
    workshop.write(plugins, settings)
    moveTo(workshop, relay.url)
  }
  write(family)
  return { ...workshop, relay, write }
}

/** Changes the URL of the database in the configuration. */
function moveTo({ file }: Pick<Workshop, "file">, url: string): void {
  const text = readFileSync(file, "utf8").replace(/url: "[^"]*"/, `url: "${url}"`)
  writeFileSync(file, text)
}

t.test("on MySQL", { skip: withoutMysql }, async (t) => {
  await t.test("a reload is applied although the database is away", async (t) => {
    const { relay, write, entries, start } = await workshopBehindRelay(t)
    const service = await start()
    relay.goAway()
    write(more)
    t.match(await service.reload("a test"), { result: "applied" })
    t.match(service.instance.config.plugins.at(-1), { use: "health" })
    t.match(
      entries.filter(({ message }) => /the set-up cannot be checked now/.test(String(message))),
      [
        { level: "warn" },
      ],
    )
    const readiness = async () =>
      (await service.fetch(new Request("http://localhost/readyz"))).status
    t.equal(await readiness(), 503)
    await relay.comeBack()
    while (await readiness() !== 200) await setTimeout(10)
  })

  await t.test("while the database is away, requests get 503 by cookie and by a token, and 200 once it is back", async (t) => {
    const { relay, entries, build, write, start } = await workshopBehindRelay(t)
    await build.account("partner")
    write("  - use: docs")
    const { fetch } = await start()
    const { cookie } = await logInto(fetch, "partner")
    const send = (headers: Record<string, string>, init: RequestInit = {}, path = "/session") =>
      fetch(new Request(`http://localhost${path}`, { ...init, headers }))
    const made = await send({ cookie, "content-type": "application/json" }, {
      method: "POST",
      body: JSON.stringify({ name: "n8n", lifetime: 86_400 }),
    }, "/session/tokens")
    // Nobody has used the token: it has to be looked up.
    const callers = [{ cookie }, { authorization: `Bearer ${(await made.json()).token}` }]
    t.equal((await send({ cookie })).status, 200)
    relay.goAway()
    for (const caller of callers) {
      const response = await send(caller)
      t.match([response.status, await response.json()], [503, { code: "unavailable" }])
      t.equal(response.headers.get("retry-after"), "5")
      const id = response.headers.get("x-request-id")
      t.ok(entries.some((entry) => entry["level"] === "warn" && entry["id"] === id), "it is logged")
    }
    const guide = await send({ cookie }, {}, "/docs")
    t.equal(guide.status, 200, "the guide explains errors meanwhile")
    await relay.comeBack()
    for (const caller of callers) t.equal((await send(caller)).status, 200)
  })

  await t.test("reloading and closing end although the database does not respond", async (t) => {
    const { relay, file, start } = await workshopBehindRelay(t)
    writeFileSync(
      file,
      readFileSync(file, "utf8").replace("database: {", "database: { time_limit: 4,"),
    )
    const service = await start()
    await (await logInto(service.fetch, "op"))("/status")
    relay.forget()
    t.match(await service.reload("a test"), { result: "applied" })
    await service.close()
  })

  await t.test("start waits for a database that is away, and says so without its password", async (t) => {
    const { relay, url, entries, start } = await workshopBehindRelay(t)
    await relay.goAway()
    const { signal } = new AbortController()
    const starting = start({ waiting: { signal, pause: 10 } })
    const waits = () => entries.filter(({ message }) => message === "waiting for the database")
    while (waits().length === 0) await setTimeout(5)
    await setTimeout(100)
    const { host, pathname } = new URL(relay.url)
    t.match(waits(), [{ level: "warn", database: host + pathname, reason: /ECONNREFUSED/ }])
    t.equal(waits().length, 1, "not for each attempt")
    t.notMatch(JSON.stringify(entries), new URL(url).password)
    await relay.comeBack()
    const service = await starting
    t.equal((await (await logInto(service.fetch, "op"))("/status")).status, 200)
  })

  await t.test("start that waits takes over a corrected file, and stays with the last good one before", async (t) => {
    const workshop = await freshWorkshop(t, "mysql")
    const { file, entries } = workshop
    await workshop.build.account("op", "operator")
    workshop.write(family)
    moveTo(workshop, "mysql://root@127.0.0.1:9/none")
    const { signal } = new AbortController()
    const starting = workshop.start({ waiting: { signal, pause: 5 } })
    const seen = (text: RegExp) => entries.some(({ message }) => text.test(String(message)))
    while (!seen(/^waiting for the database$/)) await setTimeout(5)
    writeFileSync(file, readFileSync(file, "utf8").replace("connector-b", "connector-z"))
    while (!seen(/^configuration refused; still waiting with the old one$/)) await setTimeout(5)
    await setTimeout(50)
    t.equal(entries.filter(({ message }) => /refused/.test(String(message))).length, 1, "once")
    workshop.write(more)
    const service = await starting
    t.match(service.instance.config.plugins.at(-1), { use: "health" })
    t.equal((await (await logInto(service.fetch, "op"))("/status")).status, 200)
    t.strictSame(service.files, service.instance.config.files, "a change is noticed from here on")
  })

  await t.test("start does not wait for a wrong password, an unknown database or a wrong URL", async (t) => {
    const workshop = await freshWorkshop(t, "mysql")
    const { signal } = new AbortController()
    const wrong: [change: (url: URL) => void, error: RegExp][] = [
      [(url) => url.password = "wrong", /^The database refuses the service: Access denied/],
      [(url) => url.pathname = "/nowhere", /^The database refuses the service: Unknown database/],
      [(url) => url.pathname = "/", /^Cannot read the database URL/],
    ]
    for (const [change, message] of wrong) {
      const url = new URL(workshop.url)
      change(url)
      workshop.write(family)
      moveTo(workshop, url.href)
      await t.rejects(workshop.start({ waiting: { signal } }), { message })
    }
  })
})
