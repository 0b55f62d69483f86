import { once } from "node:events"
import t from "tap"
import { migrate } from "../../../core/data/migrate.ts"
import { secret } from "../../support/app.ts"
import { startProcess } from "../support/service-process.ts"
import { copiedUrl, openFor } from "../../support/database.ts"
import { runtimes, withoutRuntime } from "../../support/runtimes.ts"
import { openCollector } from "../../support/span-collector.ts"

for (const runtime of runtimes) {
  t.test(`the process on ${runtime} sends spans of requests to the collector before it ends`, {
    skip: withoutRuntime(runtime),
  }, async (t) => {
    const { url: endpoint, spans, services } = await openCollector(t)
    const databaseUrl = await copiedUrl(t, "sqlite")
    await migrate(await openFor(t, databaseUrl))
    const { url, child } = await startProcess(t, runtime, {
      DATABASE_URL: databaseUrl,
      SESSION_SECRET: secret,
      PORT: "0",
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_SERVICE_NAME: "guests",
    })
    await fetch(`${url}/session`)
    child.kill("SIGTERM")
    t.strictSame(await once(child, "exit"), [0, null])
    t.ok(services.every((service) => service === "guests"))
    t.ok(spans.some(({ name }) => name === "GET /session"))
  })
}
