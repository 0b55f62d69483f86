import t from "tap"
import { migrate } from "../../../core/data/migrate.ts"
import { secret } from "../../support/app.ts"
import { startProcess } from "../support/service-process.ts"
import { copiedUrl, openFor } from "../../support/database.ts"
import { runtimes, withoutRuntime } from "../../support/runtimes.ts"
import { stallingClient } from "../../support/stalling-client.ts"

for (const runtime of runtimes) {
  t.test(
    `300 silent connections of one address do not make the process on ${runtime} unreachable`,
    {
      skip: withoutRuntime(runtime),
    },
    async (t) => {
      const databaseUrl = await copiedUrl(t, "sqlite")
      await migrate(await openFor(t, databaseUrl))
      const environment = { DATABASE_URL: databaseUrl, SESSION_SECRET: secret, PORT: "0" }
      const { url, entry } = await startProcess(t, runtime, environment)
      const { hold, get } = stallingClient(t, url)
      for (let n = 0; n < 300; n++) await hold()
      t.match(await get("/session", "127.0.0.2"), /^HTTP\/1\.1 401 /)
      t.match(await get("/session"), /^HTTP\/1\.1 503 /)
      t.match(await get("/readyz"), /^HTTP\/1\.1 200 /)
      const { admin } = entry as { admin: string }
      t.equal((await fetch(`${admin}/livez`)).status, 200)
      t.match(await (await fetch(`${admin}/readyz`)).json(), { ready: true })
      const metrics = await (await fetch(`${admin}/metrics`)).text()
      t.match(
        metrics,
        /^event_export_connections_refused_total\{limit="connections_per_address"\} 10\d$/m,
      )
    },
  )
}
