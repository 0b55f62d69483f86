import process from "node:process"
import { sql } from "kysely"
import t from "tap"
import { freeFailures, LogIn } from "../../../core/access/log-in.ts"
import { Sessions } from "../../../core/access/sessions.ts"
import { hashPassword } from "../../../core/access/passwords.ts"
import { scryptThreads } from "../../../core/access/scrypt-threads.ts"
import type { Database } from "../../../core/data/database.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { startInstance } from "../../../core/kernel/instance.ts"
import { freshApp, generous, secret, testConfig } from "../../support/app.ts"
import { Builder, password } from "../../support/builder.ts"
import { copiedUrl, onEveryEngine, openFor } from "../../support/database.ts"
import { withoutSlow } from "../../support/quick.ts"

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

await onEveryEngine(t, async (t, engine) => {
  const url = await copiedUrl(t, engine)
  const database = await openFor(t, url)
  await migrate(database)
  const build = new Builder(database)
  const config = { ...await testConfig(url), limits: generous }
  const instances = [
    await startInstance(config, { log }),
    await startInstance(config, { log }),
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
  /** Sets counters as if so many attempts had failed, to save computing the hashes. */
  const setPoints = async (points: number) =>
    await database.writer.updateTable("rate_limit").set({ points }).execute()
  t.afterEach(async () => {
    await database.writer.deleteFrom("rate_limit").execute()
  })

  await t.test("POST /session closes an account to a network after five failures, on all instances", async (t) => {
    await build.account("ann")
    t.strictSame(
      await failures("ann", freeFailures.account + 2, "192.0.2.10"),
      [...Array(6).fill(401), 429],
    )
    for (const instance of [0, 1] as const) {
      const refused = await attempt("ann", { word: password, address: "192.0.2.10", instance })
      t.equal(refused.status, 429)
      t.ok((refused.wait ?? 0) >= 1, "Retry-After")
    }
    t.equal((await attempt("ann", { word: password, address: "192.0.2.11" })).status, 204)
  })

  await t.test("POST /session closes an account to all new networks after fifty failures", async (t) => {
    await build.account("bob")
    t.equal((await attempt("bob", { word: password, address: "192.0.2.20" })).status, 204)
    await attempt("bob", { address: "198.51.100.1" })
    await setPoints(freeFailures.newNetworks - 1)
    t.equal((await attempt("bob", { address: "203.0.113.2" })).status, 401, "the fiftieth")
    t.equal((await attempt("bob", { address: "203.0.113.3" })).status, 401, "the first beyond")
    t.equal((await attempt("bob", { word: password, address: "203.0.113.4" })).status, 429)
    t.equal((await attempt("bob", { word: password, address: "192.0.2.20" })).status, 204)
  })

  await t.test("POST /session counts failures from a known network apart", async (t) => {
    await build.account("carol")
    t.equal((await attempt("carol", { word: password, address: "192.0.2.30" })).status, 204)
    t.strictSame(
      await failures("carol", freeFailures.account + 2, "192.0.2.30"),
      [...Array(6).fill(401), 429],
    )
    t.equal((await attempt("carol", { word: password, address: "203.0.113.30" })).status, 204)
  })

  await t.test("POST /session doubles the wait, and checks no attempt before its end", async (t) => {
    await build.account("dan")
    await failures("dan", freeFailures.account, "192.0.2.40")
    const waits = []
    for (let round = 0; round < 4; round++) {
      await endWaits(database)
      t.equal((await attempt("dan", { address: "192.0.2.40" })).status, 401)
      const { status, wait } = await attempt("dan", { address: "192.0.2.40" })
      t.equal(status, 429)
      waits.push(wait)
    }
    for (const [index, wait] of waits.entries()) {
      const expected = 2 ** (index + 1)
      t.ok(wait === expected || wait === expected - 1, `${wait} s of ${expected}`)
    }
  })

  await t.test("POST /session accepts the right password after the wait, and forgets that network's failures", async (t) => {
    await failures("dan", freeFailures.account + 1, "192.0.2.50")
    await endWaits(database)
    t.equal((await attempt("dan", { word: password, address: "192.0.2.50" })).status, 204)
    t.strictSame(await failures("dan", 6, "192.0.2.50"), Array(6).fill(401))
  })

  const networks: Record<string, [free: number, inside: string, outside: string]> = {
    "192.0.2.60": [freeFailures.address, "192.0.2.60", "192.0.2.61"],
    "198.51.100.1": [freeFailures.larger[24], "198.51.100.200", "198.51.101.1"],
    "2001:db8:0:aa01::1": [freeFailures.address, "2001:db8:0:aa01:f::", "2001:db8:0:aa02::1"],
    "2001:db8:1:bb01::1": [freeFailures.larger[56], "2001:db8:1:bb02::", "2001:db8:1:bc01::1"],
    "2001:db8:2:cc01::1": [freeFailures.larger[48], "2001:db8:2:dd01::", "2001:db8:3:cc01::1"],
  }
  for (const [address, [free, inside, outside]] of Object.entries(networks)) {
    await t.test(`POST /session closes to ${inside} after ${free} failures from ${address}`, async (t) => {
      // Each attempt is for another account, so that only the counts of networks close.
      const names = Array.from({ length: 5 }, (_, n) => `${n} of ${address}`)
      for (const name of names) await build.account(name)
      const from = async (address: string) =>
        (await attempt(names.shift() ?? "", { address })).status
      await from(address)
      await setPoints(free - 1)
      t.equal(await from(inside), 401)
      t.equal(await from(inside), 401)
      t.equal(await from(inside), 429)
      t.equal(await from(outside), 401)
    })
  }

  await t.test("POST /session with the right password forgets no failure of the address", async (t) => {
    for (const name of ["eve", "eve-0", "eve-1", "eve-2"]) await build.account(name)
    const address = "192.0.2.70"
    await attempt("eve-0", { address })
    await setPoints(freeFailures.address)
    t.equal((await attempt("eve", { word: password, address })).status, 204)
    t.equal((await attempt("eve-1", { address })).status, 401)
    t.equal((await attempt("eve-2", { address })).status, 429)
    t.equal(
      (await attempt("eve", { word: password, address })).status,
      204,
      "from here eve has logged in before",
    )
  })

  await t.test("POST /session lets nobody wait longer than 15 minutes", async (t) => {
    await build.account("fay")
    await failures("fay", 1, "192.0.2.80")
    await setPoints(1_000_000)
    t.equal((await attempt("fay", { address: "192.0.2.80" })).status, 401)
    const { status, wait } = await attempt("fay", { address: "192.0.2.80" })
    t.equal(status, 429)
    t.ok(wait === 900 || wait === 899, `${wait} s`)
  })

  await t.test("POST /session counts and refuses an unknown name like any other", {
    skip: withoutSlow,
  }, async (t) => {
    await build.account("gus")
    const close = async (username: string, address: string) => {
      const first = await failures(username, 1, address)
      await setPoints(freeFailures.account - 1)
      return [...first, ...await failures(username, 4, address)]
    }
    const known = await close("gus", "203.0.113.1")
    t.strictSame(known, [401, 401, 401, 429, 429])
    t.strictSame(await close("no-such-gus", "203.0.113.2"), known)
  })

  await t.test(
    "POST /session counts unknown names apart from each other",
    { skip: withoutSlow },
    async (t) => {
      await failures("one-stranger", 1, "203.0.113.4")
      await setPoints(freeFailures.account)
      t.equal((await attempt("one-stranger", { address: "203.0.113.4" })).status, 401)
      t.equal((await attempt("one-stranger", { address: "203.0.113.4" })).status, 429)
      t.equal((await attempt("other-stranger", { address: "203.0.113.4" })).status, 401)
    },
  )

  await t.test("POST /session verifies no more of many guesses at once than are free", async (t) => {
    await build.account("ida")
    // On any number of cores.
    const logIn = new LogIn(database, new Sessions(database, instances[0].config.session), {
      secret,
      atOnce: 4,
    })
    const guess = (n: number) =>
      logIn.attempt({ username: "ida", password: `guess ${n}`, address: "203.0.113.5" })
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => guess(n)))
    const verified = outcomes.filter(({ status }) => status === "fulfilled")
    t.equal(verified.length, freeFailures.account + 1)
  })

  await t.test("POST /session refuses without waiting for a turn", async (t) => {
    await build.account("jim")
    await failures("jim", 6, "203.0.113.6")
    // On a slow machine, the wait of two seconds would end before the turns of strangers.
    await database.writer.updateTable("rate_limit")
      .set({ blocked_until: sql<number>`${database.dialect.now} + 1000` }).execute()
    const order: string[] = []
    const strangers = Array.from({ length: 8 * scryptThreads }, async (_, n) => {
      await attempt(`stranger-${n}`, { address: `198.51.${n}.7` })
      order.push("stranger")
    })
    // From here on they have their turns, or wait for them.
    await Promise.race(strangers)
    t.equal((await attempt("jim", { address: "203.0.113.6" })).status, 429)
    order.push("jim")
    await Promise.all(strangers)
    const after = order.length - 1 - order.indexOf("jim")
    t.ok(after > scryptThreads, `${after} of ${strangers.length} have their turns after jim`)
  })

  await t.test("POST /session computes a password that has just proved right only once", {
    skip: withoutSlow,
  }, async (t) => {
    const id = await build.account("kay")
    const setHash = (hash: string) =>
      database.writer.updateTable("account").set({ password: hash }).where("id", "=", id).execute()
    const cost = { ln: 14, r: 8, p: 10 }
    await setHash(await hashPassword(password, cost))
    const work = async (word: string) => {
      const before = process.cpuUsage().user
      const { status } = await attempt("kay", { word, address: "203.0.113.8" })
      return { status, used: process.cpuUsage().user - before }
    }
    const [first, second] = [await work(password), await work(password)]
    t.strictSame([first.status, second.status], [204, 204])
    t.ok(second.used < first.used / 3, `${second.used} of ${first.used} microseconds`)
    const many = Array.from(
      { length: 300 },
      () => attempt("kay", { word: password, address: "203.0.113.8" }),
    )
    const statuses = (await Promise.all(many)).map(({ status }) => status)
    t.ok(statuses.includes(204))
    // On a slow machine, some wait past the time limit of a request; none is one too many.
    const others = statuses.filter((status) => status !== 204 && status !== 503)
    t.strictSame(others, [], "many may wait for their turns")
    t.equal((await work("wrong")).status, 401, "another one is computed")
    await setHash(await hashPassword("another password", { ln: 4, r: 8, p: 1 }))
    t.equal((await work(password)).status, 401, "it is not right any more")
  })

  await t.test("POST /session computes a right password again while nothing can be written", {
    skip: withoutSlow,
  }, async (t) => {
    const id = await build.account("lee")
    const hash = await hashPassword(password, { ln: 14, r: 8, p: 10 })
    const { writer } = database
    await writer.updateTable("account").set({ password: hash }).where("id", "=", id).execute()
    const used: number[] = []
    const refusal = engine === "mysql"
      ? sql`signal sqlstate '45000'`
      : sql`begin select raise(abort, 'no'); end`
    await sql`create trigger no_network before insert on log_in_network for each row ${refusal}`
      .execute(writer)
    for (let turn = 0; turn < 2; turn++) {
      const before = process.cpuUsage().user
      const { status } = await attempt("lee", { word: password, address: "203.0.113.9" })
      t.ok(status >= 500, `${status}`)
      used.push(process.cpuUsage().user - before)
    }
    await sql`drop trigger no_network`.execute(writer)
    const [first = 0, second = 0] = used
    t.ok(second > first / 3, `${second} of ${first} microseconds`)
  })

  await t.test("counters of failed log-ins contain neither names nor addresses", async (t) => {
    await attempt("hal", { address: "203.0.113.9" })
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
    {
      // Written in the background, after the response.
      onStatement: (sql) =>
        /audit_log|account_activity|^select "id", "username" from "account" where \("id" in/
          .test(sql) || statements.push(sql),
    },
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
