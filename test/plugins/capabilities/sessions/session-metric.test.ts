import { openMetrics } from "../../../support/metrics.ts"
import t from "tap"
import { insertSession } from "../../../../core/access/sessions.ts"
import { onEmbedded } from "../../../support/database.ts"
import { samplesOf, valueOf } from "../../../support/samples.ts"
import { freshWorkshop } from "../../../support/service.ts"

await onEmbedded(t, async (t, engine) => {
  const { database, build, write, start } = await freshWorkshop(t, engine)
  write("  - use: health")
  const ann = await build.account("ann")
  const now = Math.floor(Date.now() / 1000)
  const ends = now + 6 * 86_400
  await insertSession(database, ann, 6 * 86_400)
  await database.writer.updateTable("session")
    .set({ created: now - 24 * 86_400, used: now, expires: ends }).execute()
  const service = await start()

  await t.test("GET /metrics shows when the sessions of programs end, by account", async (t) => {
    const metrics = await openMetrics(t, service)
    const samples = samplesOf((await metrics.read()).text)
    const name = "event_export_session_expires_timestamp_seconds"
    t.equal(valueOf(samples, name, { account: "ann", kind: "session" }), ends)
  })
})
