import { once } from "node:events"
import { readFileSync } from "node:fs"
import t, { type Test } from "tap"
import { secret } from "../../support/app.ts"
import { startProcess } from "../support/service-process.ts"
import { configFolder } from "../../support/config-folder.ts"
import { copiedUrl, openFor } from "../../support/database.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { runtimes, withoutRuntime } from "../../support/runtimes.ts"

for (const runtime of runtimes) {
  t.test(`the process on ${runtime} is not ready while it drains, but still responds`, {
    skip: withoutRuntime(runtime),
  }, async (t) => {
    const databaseUrl = await copiedUrl(t, "sqlite")
    await migrate(await openFor(t, databaseUrl))
    const { url, child } = await startProcess(t, runtime, {
      DATABASE_URL: databaseUrl,
      SESSION_SECRET: secret,
      PORT: "0",
      CONFIG: drainingConfig(t),
    })
    t.equal((await fetch(`${url}/readyz`)).status, 200)
    child.kill("SIGTERM")
    let response = await fetch(`${url}/readyz`)
    // The signal arrives asynchronously.
    while (response.status === 200) response = await fetch(`${url}/readyz`)
    t.match(await response.json(), { detail: "Not ready: the process is about to end." })
    t.equal((await fetch(`${url}/session`)).status, 401)
    t.equal((await fetch(`${url}/livez`)).status, 200)
    const [code] = await once(child, "exit")
    t.equal(code, 0)
  })
}

/** Writes the default configuration with two seconds to drain, and returns its path. */
function drainingConfig(t: Test): string {
  const text = readFileSync("config/event-export.yaml", "utf8")
  return configFolder(t).write(text.replace("  drain: 0", "  drain: 2"))
}
