import { openMetrics } from "../../../support/metrics.ts"
import { setTimeout } from "node:timers/promises"
import t from "tap"
import { insertSession } from "../../../../core/access/sessions.ts"
import { startHousekeeping } from "../../../../core/kernel/housekeeping.ts"
import { onEmbedded } from "../../../support/database.ts"
import { samplesOf, valueOf } from "../../../support/samples.ts"
import { freshWorkshop } from "../../../support/service.ts"

await onEmbedded(t, async (t, engine) => {
  const { database, build, write, start, entries } = await freshWorkshop(t, engine)
  write("  - use: health")
  const ann = await build.account("ann")
  const now = Math.floor(Date.now() / 1000)
  const ends = now + 6 * 86_400
  for (const lasting of [0, 1] as const) {
    await insertSession(database, ann, 6 * 86_400, { lasting })
  }
  await database.writer.updateTable("session")
    .set({ created: now - 24 * 86_400, used: now, expires: ends }).execute()
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
    const warning = { level: "warn", account: "ann", ends: new Date(ends * 1000).toISOString() }
    const messages = [/^a token of a partner/, /^the session of an unattended program/]
    t.match(
      warnings.toSorted((one, other) => `${one["message"]}` < `${other["message"]}` ? -1 : 1),
      messages.map((message) => ({ ...warning, message })),
    )
    t.equal(warnings.length, 2)
  })

  await t.test("GET /metrics shows when the sessions of programs end, by account", async (t) => {
    const metrics = await openMetrics(t, service)
    const samples = samplesOf((await metrics.read()).text)
    const name = "event_export_session_expires_timestamp_seconds"
    t.equal(valueOf(samples, name, { account: "ann" }), ends)
  })
})
