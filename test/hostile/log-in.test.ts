import { setImmediate, setTimeout } from "node:timers/promises"
import t from "tap"
import { findCredentials } from "../support/find-credentials.ts"
import { revokeSessions } from "../../plugins/capabilities/accounts/change-account.ts"
import { freeFailures } from "../../core/access/log-in.ts"
import { hashPassword } from "../../core/access/passwords.ts"
import { insertSession } from "../../core/access/sessions.ts"
import { UserError } from "../../core/errors.ts"
import { generous } from "../support/app.ts"
import { password } from "../support/builder.ts"
import { onEveryEngine } from "../support/database.ts"
import { clients, countOf, logInStage } from "../support/log-in-stage.ts"

await onEveryEngine(t, async (t, engine) => {
  const stage = await logInStage(t, engine)
  const { database, build, config, read, inserted, start, logIn, costlyAccount, sessionsOf } = stage
  const { writer } = database
  t.afterEach(async () => {
    await writer.deleteFrom("rate_limit").execute()
  })

  await t.test("POST /session and commands take names byte for byte", async (t) => {
    await build.account("ann")
    for (const name of ["ann ", "ann   ", " ann", "Ann", "ann\t", "ann\u0000", "änn"]) {
      t.equal(await findCredentials(database, name), undefined, JSON.stringify(name))
      await t.rejects(revokeSessions(database, name), UserError)
    }
    t.equal(await logIn("ann "), 401)
    t.equal(await logIn("ann", { address: "198.51.100.99" }), 204)
  })

  await t.test("concurrent log-ins and revocations of an account do not deadlock", async (t) => {
    for (let round = 0; round < 3; round++) {
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

  await t.test("an address that is refused writes nothing, and keeps nobody else out", async (t) => {
    const names = ["victim-1", "victim-2"]
    for (const name of names) await build.account(name)
    const address = "203.0.113.1"
    const guess = (n: number) => logIn(names[n % 2] ?? "", { word: "guess", address })
    t.equal(await guess(0), 401)
    // So many that none of the next comes after the wait.
    await writer.updateTable("rate_limit").set({ points: freeFailures.address + 9 })
      .where("points", "=", 1).execute()
    await guess(0)
    const counts = () => writer.selectFrom("rate_limit").selectAll().orderBy("name").execute()
    const before = await counts()
    for (let n = 0; n < 10; n++) t.equal(await guess(n), 429)
    for (let n = 0; n < 10; n++) t.equal(await logIn(`random-${n}`, { address }), 429)
    t.strictSame(await counts(), before)
    for (const [n, name] of names.entries()) {
      t.equal(await logIn(name, { address: `192.0.2.${n}` }), 204, name)
    }
  })

  await t.test("log-ins at the same time all succeed: to one account from one or many addresses, to many accounts", async (t) => {
    // So that they meet.
    await costlyAccount("eve", "$scrypt$ln=14,r=8,p=1")
    for (let n = 0; n < 5; n++) await build.account(`job-${n}`)
    // More than the requests of an account that run at once.
    const fiveTimes = (attempt: (n: number) => Promise<number>) =>
      Promise.all(Array.from({ length: 5 }, (_, n) => attempt(n)))
    const asShipped = await start({})
    const all = Array(5).fill(204)
    t.strictSame(await fiveTimes(() => logIn("eve", { instance: asShipped })), all)
    t.strictSame(await fiveTimes((n) => logIn("eve", { address: `198.51.${n}.2` })), all)
    t.equal(await sessionsOf("eve"), 10)
    t.strictSame(await fiveTimes((n) => logIn(`job-${n}`)), all)
  })

  await t.test("a log-in that waits for a lock when its time is up opens no session", {
    skip: engine === "sqlite" && "one statement at a time",
  }, async (t) => {
    const id = await build.account("nina")
    const hasty = await start({ server: { ...config.server, time_limit: 2 }, limits: generous })
    t.equal(await logIn("nina"), 204)
    await writer.transaction().execute(async (db) => {
      await db.selectFrom("session").select("id").where("account_id", "=", id).forUpdate().execute()
      inserted.length = 0
      t.equal(await logIn("nina", { instance: hasty }), 503)
    })
    while (!inserted.includes("session")) await setTimeout(5)
    while (await sessionsOf("nina") > 1) await setTimeout(20)
    t.equal(await sessionsOf("nina"), 1)
  })

  // Whose turn it is, and whether a client waits, does not depend on the database.
  if (engine !== "sqlite") return

  await t.test("strangers who guess at once anywhere keep a client of a known network waiting for a turn or two", async (t) => {
    await build.account("peggy")
    t.equal(await logIn("peggy", { address: "192.0.2.30" }), 204)
    for (let n = 0; n < 6; n++) await costlyAccount(`target-${n}`)
    const { whenGone, leave } = clients()
    let answered = 0
    read.length = 0
    const strangers = Array.from({ length: 6 }, async (_, n) => {
      await logIn(`target-${n}`, { word: "guess", address: `198.51.${n}.60`, whenGone })
      answered++
    })
    // All have been looked up, and wait for a turn.
    while (countOf(read, "rate_limit") < 6) await setTimeout(1)
    t.equal(await logIn("peggy", { address: "192.0.2.30" }), 204)
    t.ok(answered < 6, `${answered} of 6 were answered before`)
    leave()
    await Promise.all(strangers)
  })

  await t.test("a network that guesses with all its addresses at once keeps no other network from logging in", async (t) => {
    await costlyAccount("walter", "$scrypt$ln=11,r=8,p=1")
    await build.account("judy")
    const { whenGone, leave } = clients()
    read.length = 0
    const guesses = Array.from(
      { length: 80 },
      (_, n) =>
        logIn("walter", { word: "guess", address: `2001:db8:0:${n.toString(16)}00::1`, whenGone }),
    )
    while (countOf(read, "rate_limit") < 20) await setTimeout(1)
    t.equal(await logIn("judy", { address: "192.0.2.31" }), 204)
    leave()
    const statuses = new Set(await Promise.all(guesses))
    t.notOk(statuses.has(204))
  })

  await t.test("a log-in that took too long opens no session", async (t) => {
    // Several times as long as the time limit, on fast machines as well.
    await costlyAccount("mia", "$scrypt$ln=14,r=8,p=8")
    const hasty = await start({ server: { ...config.server, time_limit: 0.1 }, limits: generous })
    t.equal(await logIn("mia", { instance: hasty }), 503)
    const cheap = await hashPassword(password)
    await writer.updateTable("account").set({ password: cheap }).where("username", "=", "mia")
      .execute()
    const statuses: number[] = []
    // The first one goes on in the background: until it is through, the others wait for their turn.
    while (statuses.at(-1) !== 204) statuses.push(await logIn("mia", { instance: hasty }))
    // One that was inserted when the time was up is deleted after the response.
    while (await sessionsOf("mia") > 1) await setTimeout(5)
    t.equal(await sessionsOf("mia"), 1)
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

    read.length = 0
    const wrong = logIn("nick", { ...second, word: "guess", address: "192.0.2.40" })
    // The counts are read before the wait for a turn, and again when the turn has come.
    while (countOf(read, "rate_limit") < 2) await setImmediate()
    second.leave()
    await wrong
    await logIn("nick", { word: "guess too", address: "192.0.2.40" })
    const rows = await writer.selectFrom("rate_limit").select("points").execute()
    t.ok(rows.every(({ points }) => points === 2), JSON.stringify(rows))
  })
})
