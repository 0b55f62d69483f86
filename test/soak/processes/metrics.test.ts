import t from "tap"
import { migrate } from "../../../core/data/migrate.ts"
import { secret } from "../../support/app.ts"
import { startProcess } from "../support/service-process.ts"
import { copiedUrl, openFor } from "../../support/database.ts"
import { runtimes, withoutRuntime } from "../../support/runtimes.ts"
import { samplesOf, valueOf } from "../../support/samples.ts"

for (const runtime of runtimes) {
  t.test(`the process on ${runtime} serves metrics on a separate address`, {
    skip: withoutRuntime(runtime),
  }, async (t) => {
    const databaseUrl = await copiedUrl(t, "sqlite")
    await migrate(await openFor(t, databaseUrl))
    const environment = { DATABASE_URL: databaseUrl, SESSION_SECRET: secret, PORT: "0" }
    const { url, entry } = await startProcess(t, runtime, environment)
    const { admin } = entry as { admin: string }
    t.not(admin, url)
    t.equal((await fetch(`${url}/metrics`)).status, 404, "not on the partners' address")
    await fetch(`${url}/session`)
    await fetch(url, { headers: { host: "elsewhere.example" } }).catch(() => {})
    const response = await fetch(`${admin}/metrics`)
    t.match(response.headers.get("content-type"), /^text\/plain; version=0\.0\.4/)
    const samples = samplesOf(await response.text())
    t.equal(valueOf(samples, "event_export_requests_total", { family: "session" }), 1)
    t.equal(valueOf(samples, "event_export_ready"), 1)
    for (const name of ["nodejs_eventloop_lag_p99_seconds", "process_resident_memory_bytes"]) {
      t.ok(Number.isFinite(valueOf(samples, name)), name)
    }
  })
}
