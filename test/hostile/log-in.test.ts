import { setImmediate, setTimeout } from "node:timers/promises"
import t, { type Test } from "tap"
import { revokeSessions } from "../../core/access/accounts.ts"
import { freeFailures } from "../../core/access/log-in.ts"
import { hashPassword } from "../../core/access/passwords.ts"
import { insertSession } from "../../core/access/sessions.ts"
import { migrate } from "../../core/data/migrate.ts"
import { UserError } from "../../core/errors.ts"
import type { Peer } from "../../core/http/answer.ts"
import { startInstance } from "../../core/kernel/instance.ts"
import { generous, testConfig } from "../support/app.ts"
import { Builder, password } from "../support/builder.ts"
import { copiedUrl, onEveryEngine, openFor } from "../support/database.ts"
import { scannedLog } from "../support/scanned-log.ts"

/** As `account add` hashes it. The builder's accounts have a hash that costs next to nothing. */
const costlyHash = await hashPassword(password)

interface Attempt {
  readonly word?: string
  readonly address?: string
  /** Called with what to call when the client disconnects. */
  readonly whenGone?: Peer["whenGone"] | undefined
  readonly instance?: { readonly fetch: Instance["fetch"] }
}

type Instance = Awaited<ReturnType<typeof startInstance>>

await onEveryEngine(t, async (t, engine) => {
  const url = await copiedUrl(t, engine)
  const database = await openFor(t, url, { connections: 40 })
  const { writer } = database
  await migrate(database)
  const build = new Builder(database)
  const config = await testConfig(url)
  /** The tables of the statements that were sent. */
  const sent: string[] = []
  /** The number of sessions that were inserted. */
  let inserted = 0
  const start = async (changed: Partial<typeof config> = { limits: generous }) => {
    const instance = await startInstance({ ...config, ...changed }, {
      log: scannedLog(t, []),
      onStatement: (sql) => {
        sent.push(/ from [`"](\w+)/.exec(sql)?.[1] ?? "")
        if (/^insert into [`"]session/.test(sql)) inserted++
      },
    })
    t.teardown(() => instance.close())
    return instance
  }
  const usual = await start()

  const logIn = async (
    username: string,
    { word = password, address = "192.0.2.1", whenGone, instance = usual }: Attempt = {},
  ) => {
    const request = new Request("http://localhost/session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username, password: word }),
    })
    const { status } = await instance.fetch(request, { address, ...whenGone && { whenGone } })
    return status
  }
  const costlyAccount = async (name: string, hash = costlyHash) => {
    await build.account(name)
    await writer.updateTable("account").set({ password: hash }).where("username", "=", name)
      .execute()
  }
  const sessionsOf = async (name: string) => {
    const rows = await writer.selectFrom("session").innerJoin("account", "account.id", "account_id")
      .select("session.id").where("username", "=", name).execute()
    return rows.length
  }
  const countOf = <T>(list: readonly T[], value: T) => list.filter((each) => each === value).length
  t.afterEach(async () => {
    await writer.deleteFrom("rate_limit").execute()
  })

  await t.test("POST /session takes names byte for byte", async (t) => {
    await build.account("ann")
    for (const [n, name] of ["ann ", "ann   ", " ann", "Ann", "ann\t", "ann\u0000"].entries()) {
      t.equal(await logIn(name, { address: `198.51.100.${n}` }), 401, JSON.stringify(name))
    }
    t.equal(await logIn("ann", { address: "198.51.100.99" }), 204)
  })

  await t.test("commands take names byte for byte", async (t) => {
    await t.rejects(revokeSessions(database, "ann "), UserError)
    await t.rejects(revokeSessions(database, "änn"), UserError)
  })

  await t.test("concurrent log-ins and revocations of an account do not deadlock", async (t) => {
    for (let round = 0; round < 20; round++) {
      const name = `race-${round}`
      const id = await build.account(name)
      const outcomes = await Promise.allSettled([
        ...Array.from({ length: 8 }, () => insertSession(database, id, 3600)),
        revokeSessions(database, name),
        ...Array.from({ length: 8 }, () => insertSession(database, id, 3600)),
      ])
      const failures = outcomes.filter((outcome) => outcome.status === "rejected")
      t.strictSame(failures.map(({ reason }) => String(reason)), [])
    }
  })

  await t.test("an address that is refused keeps nobody else out, whatever names it tries", async (t) => {
    const names = ["victim-1", "victim-2", "victim-3", "victim-4"]
    for (const name of names) await build.account(name)
    const statuses = []
    for (let n = 0; n < 60; n++) {
      statuses.push(await logIn(names[n % 4] ?? "", { word: "guess", address: "203.0.113.1" }))
    }
    testFirstRefusal(t, statuses, freeFailures.address + 1)
    for (const [n, name] of names.entries()) {
      t.equal(await logIn(name, { address: `192.0.2.${n}` }), 204, name)
    }
  })

  await t.test("guesses from many networks do not lock out a network that has logged in before", async (t) => {
    await build.account("bob")
    const [office, hotel] = ["192.0.2.10", "192.0.2.11"]
    t.equal(await logIn("bob", { address: office }), 204)
    const statuses = []
    for (let n = 0; n < 60; n++) {
      statuses.push(await logIn("bob", { word: "guess", address: `198.51.${n}.1` }))
    }
    testFirstRefusal(t, statuses, freeFailures.newNetworks + 1)
    t.equal(await logIn("bob", { address: hotel }), 429, "a new network has to wait")
    t.equal(await logIn("bob", { address: office }), 204)
  })

  await t.test("an attempt that is refused writes nothing", async (t) => {
    await build.account("carol")
    const address = "203.0.113.2"
    await logIn("carol", { word: "guess", address })
    // So many that none of the 30 comes after the wait.
    await writer.updateTable("rate_limit").set({ points: freeFailures.address + 9 }).execute()
    await logIn("carol", { word: "guess", address })
    const before = await writer.selectFrom("rate_limit").selectAll().orderBy("name").execute()
    for (let n = 0; n < 30; n++) t.equal(await logIn(`random-${n}`, { address }), 429)
    const after = await writer.selectFrom("rate_limit").selectAll().orderBy("name").execute()
    t.strictSame(after, before)
  })

  await t.test("guesses at the same time do not get past the free failures, in two processes", async (t) => {
    await build.account("dan")
    const instances = [usual, await start()] as const
    const began = performance.now()
    // On a busy machine, waits of 2, 4, 8 … seconds end before the last guess. Then each process lets one more through.
    const afterWaits = () => 2 * Math.floor(Math.log2((performance.now() - began) / 2000 + 1))
    const guess = (n: number, address: string) =>
      logIn("dan", { word: `guess ${n}`, address, instance: instances[n % 2 ? 1 : 0] })
    const fromOne = await Promise.all(
      Array.from({ length: 40 }, (_, n) => guess(n, "203.0.113.3")),
    )
    // The processes count each other's failures, but do not wait for each other's guesses.
    const verified = countOf(fromOne, 401)
    t.ok(verified <= freeFailures.account + 2 + afterWaits(), `${verified} were verified`)
    t.equal(countOf(fromOne, 429), 40 - verified)

    await writer.updateTable("rate_limit")
      .set({ points: freeFailures.newNetworks - 5, blocked_until: null }).execute()
    const fromMany = await Promise.all(
      Array.from({ length: 40 }, (_, n) => guess(n, `203.0.${n}.3`)),
    )
    const more = countOf(fromMany, 401)
    t.ok(more <= 7 + afterWaits(), `${more} were verified`)
    t.equal(countOf(fromMany, 429), 40 - more)
  })

  await t.test("100 log-ins to one account at the same time all succeed", async (t) => {
    await costlyAccount("eve")
    const asShipped = await start({})
    const here = await Promise.all(
      Array.from({ length: 100 }, () => logIn("eve", { instance: asShipped })),
    )
    t.equal(countOf(here, 204), 100, "from one address, with the limits as shipped")
    await costlyAccount("eve-2")
    const anywhere = await Promise.all(
      Array.from({ length: 100 }, (_, n) => logIn("eve-2", { address: `198.51.${n}.2` })),
    )
    t.equal(countOf(anywhere, 204), 100, "from a hundred addresses")
    t.equal(await sessionsOf("eve"), 100)
  })

  await t.test("log-ins to many accounts at the same time all succeed", async (t) => {
    const names = Array.from({ length: 40 }, (_, n) => `job-${n}`)
    for (const name of names) {
      await (name.endsWith("0") ? costlyAccount(name) : build.account(name))
    }
    const statuses = await Promise.all(names.map((name) => logIn(name)))
    t.equal(countOf(statuses, 204), 40)
  })

  await t.test("one account on 48 connections from 4 addresses keeps nobody else from logging in", async (t) => {
    await costlyAccount("mallory")
    const victims = ["grace", "heidi", "ivan"]
    for (const name of victims) await costlyAccount(name)
    t.equal(await logIn("grace", { address: "192.0.2.20" }), 204)
    let attacking = true
    const attack = async (n: number) => {
      while (attacking) {
        const word = n % 2 ? password : `guess ${Math.random()}`
        await logIn("mallory", { word, address: `203.0.113.${n % 4}` })
        await setImmediate()
      }
    }
    const attackers = Array.from({ length: 48 }, (_, n) => attack(n))
    for (const [n, name] of victims.entries()) {
      t.equal(await logIn(name, { address: `192.0.2.${20 + n}` }), 204, name)
    }
    attacking = false
    await Promise.all(attackers)
  })

  await t.test("64 networks of one /48 keep nobody else from logging in", async (t) => {
    const victims = ["judy", "karl", "leo"]
    for (const name of victims) await costlyAccount(name)
    const { whenGone, leave } = clients()
    let answered = 0
    const attackers = Array.from({ length: 64 }, async (_, n) => {
      const address = `2001:db8:0:${(n * 1000).toString(16)}::1`
      await logIn(`guess-${n}`, { word: "guess", address, whenGone })
      answered++
    })
    // By now their guesses wait.
    await setTimeout(300)
    const before = answered
    const statuses = await Promise.all(
      victims.map((name, n) => logIn(name, { address: `192.0.${n}.30` })),
    )
    t.strictSame(statuses, [204, 204, 204])
    t.ok(answered - before < 20, `${answered - before} of 64 were answered meanwhile`)
    leave()
    await Promise.all(attackers)
  })

  await t.test("many networks that guess at once keep no known network waiting", async (t) => {
    await build.account("peggy")
    t.equal(await logIn("peggy", { address: "192.0.2.60" }), 204)
    const { whenGone, leave } = clients()
    let answered = 0
    const attackers = Array.from({ length: 40 }, async (_, n) => {
      await logIn(`net-${n}`, { word: "guess", address: `198.51.${n}.60`, whenGone })
      answered++
    })
    // By now their guesses wait.
    await setTimeout(300)
    const before = answered
    t.equal(await logIn("peggy", { address: "192.0.2.60" }), 204)
    t.ok(answered - before < 20, `${answered - before} of 40 were answered meanwhile`)
    leave()
    await Promise.all(attackers)
  })

  await t.test("a thousand attempts at once take no connection from another network's log-in", async (t) => {
    await build.account("olivia")
    const { whenGone, leave } = clients()
    const statuses: number[] = []
    const attackers = Array.from({ length: 1000 }, async (_, n) => {
      const address = `2001:db8::${n.toString(16)}`
      statuses.push(await logIn(`crowd-${n}`, { word: "guess", address, whenGone }))
    })
    t.equal(await logIn("olivia", { address: "192.0.2.50" }), 204)
    t.equal(countOf(statuses, 503), 0, "the database is not asked for too much")
    t.equal(countOf(statuses, 429), statuses.length - countOf(statuses, 401))
    t.ok(countOf(statuses, 429) > 0, "some are refused at once")
    leave()
    await Promise.all(attackers)
  })

  await t.test("a log-in that took too long opens no session", async (t) => {
    await costlyAccount("mia", await hashPassword(password, { ln: 14, r: 8, p: 20 }))
    const hasty = await start({ server: { ...config.server, time_limit: 0.3 }, limits: generous })
    const statuses: number[] = []
    // The first one goes on in the background; once it is through, a later one need not compute.
    while (statuses.at(-1) !== 204 && statuses.length < 100) {
      statuses.push(await logIn("mia", { instance: hasty }))
    }
    t.ok(statuses.includes(503), statuses.join(" "))
    // One that was inserted when the time was up is deleted after the response.
    while (await sessionsOf("mia") > countOf(statuses, 204)) await setTimeout(5)
    t.equal(await sessionsOf("mia"), countOf(statuses, 204))
  })

  await t.test("a log-in that waits for a lock when its time is up opens no session", {
    skip: engine === "sqlite" && "one statement at a time",
  }, async (t) => {
    const id = await build.account("nina")
    const hasty = await start({ server: { ...config.server, time_limit: 2 }, limits: generous })
    t.equal(await logIn("nina"), 204)
    await writer.transaction().execute(async (db) => {
      await db.selectFrom("session").select("id").where("account_id", "=", id).forUpdate().execute()
      inserted = 0
      t.equal(await logIn("nina", { instance: hasty }), 503)
    })
    while (inserted === 0) await setTimeout(5)
    while (await sessionsOf("nina") > 1) await setTimeout(20)
    t.equal(await sessionsOf("nina"), 1)
  })

  await t.test("a log-in whose client has gone opens no session, and its failure counts", async (t) => {
    await costlyAccount("nick")
    const [first, second] = [clients(), clients()]
    const gone = logIn("nick", first)
    // Waits for its turn behind the first.
    const stays = logIn("nick")
    while (!first.isHeard()) await setImmediate()
    first.leave()
    t.equal(await stays, 204)
    await gone
    t.equal(await sessionsOf("nick"), 1)

    sent.length = 0
    const wrong = logIn("nick", { ...second, word: "guess", address: "192.0.2.40" })
    // The counts are read before the wait for a turn, and again when the turn has come.
    while (countOf(sent, "rate_limit") < 2) await setImmediate()
    second.leave()
    await wrong
    await logIn("nick", { word: "guess too", address: "192.0.2.40" })
    const rows = await writer.selectFrom("rate_limit").select("points").execute()
    t.ok(rows.every(({ points }) => points === 2), JSON.stringify(rows))
  })
})

/** Returns what tells of clients that leave all at once, before they have an answer. */
function clients() {
  const { promise: gone, resolve } = Promise.withResolvers<boolean>()
  let listeners = 0
  const whenGone = (listener: (sent: boolean) => void) => {
    listeners++
    void gone.then(listener)
  }
  return { whenGone, leave: () => resolve(false), isHeard: () => listeners > 0 }
}

/** Tests how many wrong passwords were verified until the first was refused. A wait may end before the last one. */
function testFirstRefusal(t: Test, statuses: readonly number[], verified: number): void {
  t.equal(statuses.indexOf(429), verified)
  t.ok(statuses.every((status) => status === 401 || status === 429))
}
