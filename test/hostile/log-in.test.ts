// slow: computes many costly hashes
import t from "tap"
import { revokeSessions } from "../../core/access/accounts.ts"
import { insertSession } from "../../core/access/sessions.ts"
import { migrate } from "../../core/data/migrate.ts"
import { UserError } from "../../core/errors.ts"
import { startInstance } from "../../core/kernel/instance.ts"
import { generous, testConfig } from "../support/app.ts"
import { Builder, password } from "../support/builder.ts"
import { freshUrl, onEveryEngine, openFor } from "../support/database.ts"
import { scannedLog } from "../support/scanned-log.ts"

await onEveryEngine(t, async (t, engine) => {
  const url = await freshUrl(t, engine)
  const database = await openFor(t, url, { connections: 40 })
  await migrate(database)
  const build = new Builder(database)
  const instance = await startInstance({ ...await testConfig(url), limits: generous }, {
    log: scannedLog(t, []),
  })
  t.teardown(() => instance.close())

  const logIn = async (username: string, { word = password, address = "192.0.2.1" } = {}) => {
    const response = await instance.fetch(
      new Request("http://localhost/session", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ username, password: word }),
      }),
      { address },
    )
    return response.status
  }

  await t.test("POST /session takes names byte for byte", async (t) => {
    await build.account("ann")
    for (const [n, name] of ["ann ", "ann   ", " ann", "Ann", "ann\t", "ann\u0000"].entries()) {
      t.equal(await logIn(name, { address: `198.51.100.${n}` }), 401, JSON.stringify(name))
    }
    t.equal(await logIn("ann", { address: "198.51.100.99" }), 204)
  })

  await t.test("POST /session verifies no more guesses at a name with spaces behind it", async (t) => {
    await build.account("bob")
    const statuses = []
    for (let n = 0; n < 12; n++) {
      statuses.push(await logIn(`bob${" ".repeat(n)}`, { address: `203.0.113.${n}` }))
    }
    t.strictSame(statuses, [204, ...Array(11).fill(401)], "not one of the spellings is bob")
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
})
