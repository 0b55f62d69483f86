import { openMetrics } from "../../../support/metrics.ts"
import { setTimeout } from "node:timers/promises"
import t from "tap"
import { insertSession } from "../../../../core/access/sessions.ts"
import { startHousekeeping } from "../../../../core/kernel/housekeeping.ts"
import { onEveryEngine } from "../../../support/database.ts"
import { samplesOf, valueOf } from "../../../support/samples.ts"
import { freshWorkshop } from "../../../support/service.ts"

await onEveryEngine(t, async (t, engine) => {
  const { database, build, write, start, entries } = await freshWorkshop(t, engine)
  write("  - use: health")
  const id = await build.account("ann")
  const session = await insertSession(database, id, 6 * 86_400)
  const { expires } = await database.writer.selectFrom("session").selectAll()
    .executeTakeFirstOrThrow()
  const now = Math.floor(Date.now() / 1000)
  await database.writer.updateTable("session").set({ created: now - 24 * 86_400, used: now })
    .execute()
  const service = await start()

  await t.test("housekeeping warns once a day of a session in use that ends within a week", async (t) => {
    let runs = 0
    const stop = startHousekeeping({
      get instance() {
        runs++
        return service.instance
      },
      log: service.log,
    }, { first: 0, every: 1 })
    while (runs < 10) await setTimeout(5)
    stop()
    const warnings = entries.filter(({ session }) => session !== undefined)
    t.match(warnings, [{
      level: "warn",
      account: "ann",
      session: session.slice(0, 8),
      ends: new Date(expires * 1000).toISOString(),
    }])
    t.equal(warnings.length, 1)
  })

  await t.test("GET /metrics shows when the sessions of programs end, by account", async (t) => {
    const metrics = await openMetrics(t, service)
    const samples = samplesOf((await metrics.read()).text)
    const name = "event_export_session_expires_timestamp_seconds"
    t.equal(valueOf(samples, name, { account: "ann" }), expires)
  })
})
