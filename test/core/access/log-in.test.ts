import process from "node:process"
import { sql } from "kysely"
import t from "tap"
import { freeFailures, LogIn, TooManyLogIns } from "../../../core/access/log-in.ts"
import { hashPassword, methods } from "../../../core/access/passwords.ts"
import { Sessions } from "../../../core/access/sessions.ts"
import type { PasswordKind } from "../../../core/config/settings.ts"
import type { Database } from "../../../core/data/database.ts"
import { freshApp, secret } from "../../support/app.ts"
import { Builder, password } from "../../support/builder.ts"
import { freshDatabase, onEmbedded } from "../../support/database.ts"

const settings = { secrets: [secret], lifetime: 3600, cookie: "session", secure: false }
const [wrong, right] = ["wrong", password]

await onEmbedded(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const { writer, dialect } = database
  const build = new Builder(database)
  const open = (database: Database, kind: PasswordKind = "scrypt") =>
    new LogIn(database, new Sessions(database, settings), { secret, kind })
  const [one, other] = [open(database), open(database)]

  /** Returns what an attempt to log in comes to. */
  const attempt = async (username: string, address: string, word = wrong, logIn = one) => {
    try {
      const { opened } = await logIn.attempt({ username, password: word, address })
      return opened ? "opened" : "failed"
    } catch (error) {
      if (error instanceof TooManyLogIns) return "refused"
      throw error
    }
  }
  const fail = async (username: string, times: number, address: string) => {
    for (let n = 0; n < times; n++) {
      const outcome = await attempt(username, address)
      if (outcome !== "failed") throw new Error(`the attempt ${n} of ${username} was ${outcome}`)
    }
  }
  /** Sets all counters as if so many attempts had failed. */
  const setPoints = (points: number) => writer.updateTable("rate_limit").set({ points }).execute()
  /** Moves the ends of all waits, so that no test depends on how long it takes. */
  const setWaits = (seconds: number) =>
    writer.updateTable("rate_limit")
      .set({ blocked_until: sql<number>`${dialect.now} + ${seconds}` })
      .where("blocked_until", "is not", null).execute()
  const blockAll = () =>
    writer.updateTable("rate_limit").set({ blocked_until: sql<number>`${dialect.now} + 1000` })
      .execute()
  /** Fails once more than is free, and returns what the next one comes to. */
  const close = async (username: string, address: string, word = wrong) => {
    await fail(username, 1, address)
    await setWaits(1000)
    return await attempt(username, address, word)
  }
  t.afterEach(async () => {
    await writer.deleteFrom("rate_limit").execute()
  })

  await t.test("attempt closes an account to a network after five failures, in all processes", async (t) => {
    for (const name of ["ann", "bea"]) await build.account(name)
    await fail("ann", freeFailures.account, "192.0.2.10")
    t.equal(await close("ann", "192.0.2.10"), "refused")
    for (const logIn of [one, other]) {
      t.equal(await attempt("ann", "192.0.2.10", right, logIn), "refused")
    }
    t.equal(await attempt("bea", "192.0.2.10", right), "opened", "another account")
    t.equal(await attempt("ann", "192.0.2.11", right), "opened", "another network")
  })

  await t.test("attempt closes an account to all new networks after fifty failures, and counts those from a known one apart", async (t) => {
    await build.account("bob")
    t.equal(await attempt("bob", "192.0.2.20", right), "opened")
    await attempt("bob", "198.51.100.1")
    await setPoints(freeFailures.newNetworks - 1)
    await fail("bob", 1, "203.0.113.2")
    t.equal(await attempt("bob", "203.0.113.3"), "failed", "the first beyond")
    await setWaits(1000)
    t.equal(await attempt("bob", "203.0.113.4", right), "refused")
    t.equal(await attempt("bob", "192.0.2.20", right), "opened", "it is known")
    await writer.deleteFrom("rate_limit").execute()
    await fail("bob", freeFailures.account, "192.0.2.20")
    t.equal(await close("bob", "192.0.2.20"), "refused", "failures from there count apart")
    await blockAll()
    t.equal(await attempt("bob", "203.0.113.30", right), "opened")
  })

  await t.test("attempt accepts the right password after the wait, and forgets that network's failures", async (t) => {
    await build.account("dan")
    await fail("dan", freeFailures.account, "192.0.2.50")
    t.equal(await close("dan", "192.0.2.50", right), "refused", "before its end")
    await setWaits(0)
    t.equal(await attempt("dan", "192.0.2.50", right), "opened")
    await fail("dan", freeFailures.account, "192.0.2.50")
    t.equal(await attempt("dan", "192.0.2.50"), "failed", "all of them are free again")
  })

  await t.test("attempt closes to an address and its larger networks after failures for any accounts", async (t) => {
    const { address, larger } = freeFailures
    const rows: [from: string, free: number, inside: string, outside: string][] = [
      ["192.0.2.60", address, "192.0.2.60", "192.0.2.61"],
      ["198.51.100.1", larger[24], "198.51.100.200", "198.51.101.1"],
      ["2001:db8:0:aa01::1", address, "2001:db8:0:aa01:f::", "2001:db8:0:aa02::1"],
      ["2001:db8:1:bb01::1", larger[56], "2001:db8:1:bb02::", "2001:db8:1:bc01::1"],
      ["2001:db8:2:cc01::1", larger[48], "2001:db8:2:dd01::", "2001:db8:3:cc01::1"],
    ]
    // Each attempt is for another account, so that only the counts of networks close.
    const names = Array.from({ length: 5 }, (_, n) => `account ${n}`)
    for (const name of names) await build.account(name)
    for (const [address, free, inside, outside] of rows) {
      await writer.deleteFrom("rate_limit").execute()
      const outcomes = []
      for (const [index, from] of [address, inside, inside, inside, outside].entries()) {
        outcomes.push(await attempt(names[index] ?? "", from))
        if (index === 0) await setPoints(free - 1)
        else await setWaits(1000)
      }
      t.strictSame(outcomes, ["failed", "failed", "failed", "refused", "failed"], address)
    }
  })

  await t.test("attempt with the right password forgets no failure of the address", async (t) => {
    for (const name of ["eve", "eve-0", "eve-1", "eve-2"]) await build.account(name)
    const address = "192.0.2.70"
    await attempt("eve-0", address)
    await setPoints(freeFailures.address)
    t.equal(await attempt("eve", address, right), "opened")
    t.equal(await attempt("eve-1", address), "failed")
    await setWaits(1000)
    t.equal(await attempt("eve-2", address), "refused")
    t.equal(await attempt("eve", address, right), "opened", "from here eve has logged in before")
  })

  await t.test("attempt counts and refuses an unknown name like any other, and apart from each other", async (t) => {
    await attempt("no-such-gus", "203.0.113.1")
    await blockAll()
    t.equal(await attempt("no-such-gus", "203.0.113.1"), "refused")
    t.equal(await attempt("another-stranger", "198.51.100.1"), "failed")
  })

  await t.test("attempt verifies no more of many guesses at once than are free", async (t) => {
    await build.account("ida")
    const guesses = Array.from(
      { length: 12 },
      (_, n) => one.attempt({ username: "ida", password: `guess ${n}`, address: "203.0.113.5" }),
    )
    const outcomes = await Promise.allSettled(guesses)
    const verified = outcomes.filter(({ status }) => status === "fulfilled")
    t.equal(verified.length, freeFailures.account + 1)
  })

  const hashOf = async (username: string) => {
    const { password } = await writer.selectFrom("account").select("password")
      .where("username", "=", username).executeTakeFirstOrThrow()
    return password
  }
  const setHash = (username: string, password: string) =>
    writer.updateTable("account").set({ password }).where("username", "=", username).execute()

  await t.test("attempt with the right password renews a hash of another kind or a lower cost, and no other", async (t) => {
    await build.account("kay")
    const usual = await hashOf("kay")
    t.equal(await attempt("kay", "192.0.2.80", right), "opened")
    t.equal(await hashOf("kay"), usual, "it is as new ones are")
    const old = await hashPassword(password, "$scrypt$ln=3,r=8,p=1")
    await setHash("kay", old)
    t.equal(await attempt("kay", "192.0.2.80"), "failed")
    t.equal(await hashOf("kay"), old, "after a wrong password")
    const before = await writer.selectFrom("account").select("epoch")
      .where("username", "=", "kay").execute()
    for (const kind of ["scrypt", "argon2id", "scrypt"] as const) {
      const logIn = open(database, kind)
      for (const _ of ["renewed", "verified"]) {
        t.equal(await attempt("kay", "192.0.2.80", right, logIn), "opened", kind)
        t.ok((await hashOf("kay")).startsWith(`${methods[kind]}$`), kind)
      }
      t.equal(await attempt("kay", "192.0.2.80", wrong, logIn), "failed", kind)
    }
    const after = await writer.selectFrom("account").select("epoch")
      .where("username", "=", "kay").execute()
    t.strictSame(after, before, "its sessions stay")
  })

  await t.test("attempt opens a session with an old hash where the database's user may not change accounts", async (t) => {
    await build.account("lea")
    const old = await hashPassword(password, "$scrypt$ln=3,r=8,p=1")
    await setHash("lea", old)
    const serving = writer.withPlugin({
      transformQuery({ node }) {
        if (node.kind === "UpdateQueryNode" && JSON.stringify(node.table).includes('"account"')) {
          throw Object.assign(new Error("denied"), { code: "ER_COLUMNACCESS_DENIED_ERROR" })
        }
        return node
      },
      transformResult: ({ result }) => Promise.resolve(result),
    })
    const logIn = open(Object.create(database, { writer: { value: serving } }))
    for (const _ of ["first", "second"]) {
      t.equal(await attempt("lea", "192.0.2.90", right, logIn), "opened")
    }
    t.equal(await hashOf("lea"), old)
  })

  await t.test("attempt takes as long for a name without an account as for accounts, whatever the cost of their hashes", async (t) => {
    await build.account("max")
    const costly = await hashPassword("another", "$scrypt$ln=13,r=8,p=5")
    /** Returns the processor time of a failure, in microseconds. */
    const work = async (username: string) => {
      const before = process.cpuUsage().user
      t.equal(await attempt(username, "192.0.2.95"), "failed")
      return process.cpuUsage().user - before
    }
    const cheap = await work("no-such-max")
    await writer.updateTable("account").set({ password: costly }).execute()
    const [known, unknown] = [await work("max"), await work("no-such-max")]
    t.ok(unknown > known / 3, `${unknown} of ${known} microseconds`)
    t.ok(cheap < unknown / 3, `${cheap} of ${unknown} microseconds`)
  })
})

await t.test("POST /session sends the same statements for known, unknown and disabled names, and says how long to wait", async (t) => {
  let statements: string[] = []
  const { build, request, database } = await freshApp(t, "sqlite", {
    // Written in the background, after the response.
    onStatement: (sql) =>
      /audit_log|account_activity|^select "id", "username" from "account" where \("id" in/
        .test(sql) || statements.push(sql),
  })
  const { writer, dialect } = database
  await build.account("ann")
  await build.account("gone")
  await writer.updateTable("account").set({ disabled: 1 }).where("username", "=", "gone").execute()
  const send = (username: string, password: string) =>
    request("/session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username, password }),
    })
  const work = async (username: string, word = wrong) => {
    statements = []
    const response = await send(username, word)
    const { requestId: _, ...body } = await response.json()
    return { statements: [...statements], status: response.status, body }
  }
  const known = await work("ann")
  t.equal(known.status, 401)
  t.ok(known.statements.length > 0)
  t.strictSame(await work("nobody"), known)
  t.strictSame(await work("gone", right), known)
  await writer.updateTable("rate_limit")
    .set({ blocked_until: sql<number>`${dialect.now} + 1000` }).execute()
  const refused = await send("ann", wrong)
  t.equal(refused.status, 429)
  t.ok(Number(refused.headers.get("retry-after")) >= 1)
})
