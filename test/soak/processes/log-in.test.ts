import { setImmediate } from "node:timers/promises"
import t from "tap"
import { onEveryEngine } from "../../support/database.ts"
import { clients, countOf, logInStage } from "../../support/log-in-stage.ts"
import { password } from "../../support/builder.ts"

await onEveryEngine(t, async (t, engine) => {
  const { database, build, start, logIn, costlyAccount } = await logInStage(t, engine)
  t.afterEach(async () => {
    await database.writer.deleteFrom("rate_limit").execute()
  })

  await t.test("100 log-ins to one account at the same time all succeed", async (t) => {
    await costlyAccount("eve")
    const instance = await start({})
    for (const addressOf of [() => "192.0.2.1", (n: number) => `198.51.${n}.2`]) {
      const statuses = await Promise.all(
        Array.from({ length: 100 }, (_, n) => logIn("eve", { instance, address: addressOf(n) })),
      )
      t.equal(countOf(statuses, 204), 100)
    }
  })

  await t.test("one account on 48 connections from 4 addresses keeps nobody else from logging in", async (t) => {
    const victims = ["grace", "heidi", "ivan"]
    for (const name of ["mallory", ...victims]) await costlyAccount(name)
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
})
