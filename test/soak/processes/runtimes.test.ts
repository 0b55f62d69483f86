import { once } from "node:events"
import { readFileSync } from "node:fs"
import t from "tap"
import { processApp } from "../support/service-process.ts"
import { configFolder } from "../../support/config-folder.ts"
import { runtimes, withoutRuntime } from "../../support/runtimes.ts"
import { samplesOf, valueOf } from "../../support/samples.ts"
import { openCollector } from "../../support/span-collector.ts"

for (const runtime of runtimes) {
  t.test(`the process on ${runtime} logs, counts, traces and drains`, {
    skip: withoutRuntime(runtime),
  }, async (t) => {
    const { url: endpoint, spans, services } = await openCollector(t)
    const text = readFileSync("config/event-export.yaml", "utf8")
    const { url, child, entry } = await processApp(t, runtime, () => Promise.resolve(), {
      CONFIG: configFolder(t).write(text.replace("  drain: 0", "  drain: 2")),
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_SERVICE_NAME: "guests",
    })
    t.match(entry, {
      database: /^SQLite/,
      config: { hash: /^[0-9a-f]{16}$/ },
      plugins: { session: 11 },
    })
    const { admin } = entry as { admin: string }
    t.not(admin, url)
    t.equal((await fetch(`${url}/metrics`)).status, 404, "not on the partners' address")
    await fetch(`${url}/session`)
    const response = await fetch(`${admin}/metrics`)
    t.match(response.headers.get("content-type"), /^text\/plain; version=0\.0\.4/)
    const samples = samplesOf(await response.text())
    t.equal(valueOf(samples, "event_export_requests_total", { family: "session" }), 1)
    t.equal(valueOf(samples, "event_export_ready"), 1)
    for (const name of ["nodejs_eventloop_lag_p99_seconds", "process_resident_memory_bytes"]) {
      t.ok(Number.isFinite(valueOf(samples, name)), name)
    }

    const exit = once(child, "exit")
    child.kill("SIGTERM")
    let ready = await fetch(`${url}/readyz`)
    // The signal arrives asynchronously.
    while (ready.status === 200) ready = await fetch(`${url}/readyz`)
    t.match(await ready.json(), { detail: "Not ready: the process is about to end." })
    t.equal((await fetch(`${url}/session`)).status, 401)
    t.equal((await fetch(`${url}/livez`)).status, 200)
    t.strictSame(await exit, [0, null])
    t.ok(services.every((service) => service === "guests"))
    t.ok(spans.some(({ name }) => name === "GET /session"))
  })
}
