// slow: computes many costly hashes
import t from "tap"
import { freeAttempts } from "../../../core/access/log-in.ts"
import type { Database } from "../../../core/data/database.ts"
import { startInstance } from "../../../core/kernel/instance.ts"
import { freshApp, testConfig } from "../../support/app.ts"
import { Builder, password } from "../../support/builder.ts"
import { freshUrl, onEveryEngine, openFor } from "../../support/database.ts"
import { migrate } from "../../../core/data/migrate.ts"

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

await onEveryEngine(t, async (t, engine) => {
  const url = await freshUrl(t, engine)
  const database = await openFor(t, url)
  await migrate(database)
  const build = new Builder(database)
  const instances = [
    await startInstance(await testConfig(url), { log }),
    await startInstance(await testConfig(url), { log }),
  ] as const
  t.teardown(() => Promise.all(instances.map((instance) => instance.close())))

  const attempt = async (
    username: string,
    { word = "wrong", address = "192.0.2.1", instance = 0 }: {
      word?: string
      address?: string
      instance?: 0 | 1
    } = {},
  ) => {
    const response = await instances[instance].fetch(
      new Request("http://localhost/session", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ username, password: word }),
      }),
      { address },
    )
    const wait = response.headers.get("retry-after")
    return { status: response.status, wait: wait === null ? null : Number(wait) }
  }
  const failures = async (username: string, times: number, address: string) => {
    const found = []
    for (let n = 0; n < times; n++) found.push((await attempt(username, { address })).status)
    return found
  }

  await t.test("POST /session locks a name after five failures, on all instances and for all addresses", async (t) => {
    await build.account("ann")
    t.strictSame(await failures("ann", freeAttempts.name + 1, "192.0.2.10"), Array(6).fill(401))
    for (const instance of [0, 1] as const) {
      const refused = await attempt("ann", { word: password, address: "192.0.2.11", instance })
      t.equal(refused.status, 429)
      t.ok((refused.wait ?? 0) >= 1, "Retry-After")
    }
  })

  await t.test("POST /session doubles the wait, and checks no attempt before its end", async (t) => {
    await build.account("bob")
    await failures("bob", freeAttempts.name, "192.0.2.20")
    const waits = []
    for (let round = 0; round < 4; round++) {
      await endWaits(database)
      t.equal((await attempt("bob", { address: "192.0.2.20" })).status, 401)
      const { status, wait } = await attempt("bob", { address: "192.0.2.20" })
      t.equal(status, 429)
      waits.push(wait)
    }
    for (const [index, wait] of waits.entries()) {
      const expected = 2 ** (index + 1)
      t.ok(wait === expected || wait === expected - 1, `${wait} s of ${expected}`)
    }
  })

  await t.test("POST /session accepts the right password after the wait, and forgets the name's failures", async (t) => {
    await endWaits(database)
    t.equal((await attempt("bob", { word: password, address: "192.0.2.21" })).status, 204)
    t.strictSame(await failures("bob", freeAttempts.name, "192.0.2.21"), Array(5).fill(401))
  })

  await t.test("POST /session locks an address that tries many names", async (t) => {
    const found = []
    for (let n = 0; n < freeAttempts.address + 2; n++) {
      found.push((await attempt(`name-${n}`, { address: "2001:db8::1" })).status)
    }
    t.strictSame(found, [...Array(freeAttempts.address + 1).fill(401), 429])
    t.equal((await attempt("x", { address: "2001:db8::2" })).status, 429, "its network is locked")
    t.equal(
      (await attempt("x", { address: "2001:db8:0:1::1" })).status,
      401,
      "other networks are not",
    )
  })

  await t.test("POST /session with the right password takes back only its own attempt of the address", async (t) => {
    await build.account("dan")
    const address = "192.0.2.30"
    for (let n = 0; n < freeAttempts.address; n++) await attempt(`dan-${n}`, { address })
    t.equal(
      (await attempt("dan", { word: password, address })).status,
      204,
      "the one allowed attempt",
    )
    await endWaits(database)
    t.equal((await attempt("dan", { word: password, address })).status, 204)
    t.equal((await attempt("dan", { word: password, address })).status, 429, "20 failures stay")
  })

  await t.test("POST /session does not exceed the limit with concurrent attempts", async (t) => {
    await build.account("eve")
    const attempts = Array.from(
      { length: 20 },
      (_, n) => attempt("eve", { address: `198.51.100.${n}`, instance: n % 2 === 0 ? 0 : 1 }),
    )
    const statuses = (await Promise.all(attempts)).map(({ status }) => status)
    const tried = statuses.filter((status) => status === 401).length
    t.ok(tried <= freeAttempts.name + 1, `${tried} were tried`)
    t.equal(statuses.filter((status) => status === 429).length, statuses.length - tried)
  })

  await t.test("POST /session counts and refuses an unknown name like any other", async (t) => {
    await build.account("carol")
    const [known, unknown] = [
      await failures("carol", 8, "203.0.113.1"),
      await failures("no-such-carol", 8, "203.0.113.2"),
    ]
    t.strictSame(known, unknown)
  })

  await t.test("counters of failed log-ins contain neither names nor addresses", async (t) => {
    const rows = await database.writer.selectFrom("rate_limit").select("name").execute()
    t.ok(rows.length > 0)
    for (const { name } of rows) t.match(name, /^[0-9a-f]{64}$/)
  })
})

t.test("POST /session sends the same statements for known, unknown and disabled names", async (t) => {
  let statements: string[] = []
  const { build, request, database } = await freshApp(
    t,
    "sqlite",
    (sql) => /audit_log/.test(sql) || statements.push(sql),
  )
  await build.account("ann")
  await build.account("gone")
  await database.writer.updateTable("account").set({ disabled: 1 }).where("username", "=", "gone")
    .execute()
  const work = async (username: string) => {
    statements = []
    const response = await request("/session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username, password: "wrong" }),
    })
    const { requestId: _, ...body } = await response.json()
    return { statements: [...statements], status: response.status, body }
  }
  const known = await work("ann")
  t.ok(known.statements.length > 0)
  t.strictSame(await work("nobody"), known)
  t.strictSame(await work("gone"), known)
})

/** Ends all waits. */
async function endWaits({ writer, dialect }: Database): Promise<void> {
  await writer.updateTable("rate_limit").set({ blocked_until: dialect.now }).execute()
}
