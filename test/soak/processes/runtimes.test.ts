import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import t from "tap"
import { processApp } from "../support/service-process.ts"
import { configFolder } from "../../support/config-folder.ts"
import { runtimes, withoutRuntime } from "../../support/runtimes.ts"
import { samplesOf, valueOf } from "../../support/samples.ts"

for (const runtime of runtimes) {
  t.test(`the process on ${runtime} logs, counts, reloads and drains`, {
    skip: withoutRuntime(runtime),
  }, async (t) => {
    const text = readFileSync("config/event-export.yaml", "utf8")
      .replace("  drain: 0", "  drain: 2").replace("watch: false", "watch: true")
    const file = configFolder(t).write(text)
    const { url, child, entry, entries } = await processApp(t, runtime, () => Promise.resolve(), {
      CONFIG: file,
    })
    t.match(entry, {
      database: /^SQLite/,
      config: { hash: /^[0-9a-f]{16}$/ },
      plugins: { session: 13 },
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

    const reloads = () =>
      entries.filter(({ msg }) => /^configuration (applied|refused)/.test(String(msg)))
    child.kill("SIGHUP")
    while (reloads().length < 1) await setTimeout(20)
    writeFileSync(file, "{")
    while (reloads().length < 2) await setTimeout(20)
    writeFileSync(file, `${text}# More\n`)
    while (reloads().length < 3) await setTimeout(20)
    const trigger = "a change of the file"
    t.match(reloads(), [
      { msg: /applied/, trigger: "SIGHUP" },
      { msg: /refused/, trigger },
      { msg: /applied/, trigger },
    ])

    const exit = once(child, "exit")
    child.kill("SIGTERM")
    let ready = await fetch(`${url}/readyz`)
    // The signal arrives asynchronously.
    while (ready.status === 200) ready = await fetch(`${url}/readyz`)
    t.match(await ready.json(), { detail: "Not ready: the process is about to end." })
    t.equal((await fetch(`${url}/session`)).status, 401)
    t.equal((await fetch(`${url}/livez`)).status, 200)
    t.strictSame(await exit, [0, null])
  })
}
