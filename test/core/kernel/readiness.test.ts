import { setImmediate } from "node:timers/promises"
import t from "tap"
import { readinessCheck } from "../../../core/kernel/readiness.ts"
import { freshDatabase } from "../../support/database.ts"

t.test("readinessCheck looks up migrations at most once per half minute", async (t) => {
  let looks = 0
  const database = await freshDatabase(t, "sqlite", {
    onStatement: (sql) => void (looks += Number(/from [`"]kysely_migration[`"]/.test(sql))),
  })
  let now = 1_000_000
  t.intercept(performance, "now", { value: () => now })
  const readiness = readinessCheck(database, { plugins: [] }, {
    lastReload: () => null,
    draining: new AbortController().signal,
    recorders: { state: "ok", isRefusing: false },
    nodes: {
      areMany: false,
      isCutOff: false,
      assertAnyFit: () => database.ping(),
      changes: { isBlind: false },
    },
    memory: 0,
  })
  const looksAfter = async (seconds: number) => {
    now += seconds * 1000
    looks = 0
    t.match(await readiness(), { ready: true, migrations: "ok" })
    // What it looks up for later checks has been read by then.
    await database.writer.selectFrom("event").select("id").execute()
    await setImmediate()
    return looks
  }
  t.equal(await looksAfter(0), 1)
  t.equal(await looksAfter(0), 0)
  t.equal(await looksAfter(29), 0)
  t.equal(await looksAfter(2), 1)
  t.equal(await looksAfter(1), 0)
  t.equal(await looksAfter(31), 1)
})
