import t from "tap"
import { secret } from "../../support/app.ts"
import { startProcess } from "../support/service-process.ts"
import { freshUrl, onEveryEngine, openFor } from "../../support/database.ts"

await onEveryEngine(t, async (t, engine) => {
  await t.test("two servers with --migrate --demo fill an empty database together", async (t) => {
    const url = await freshUrl(t, engine)
    const environment = { DATABASE_URL: url, SESSION_SECRET: secret, PORT: "0" }
    const flags = ["--migrate", "--demo"]
    await Promise.all([1, 2].map(() => startProcess(t, "node", environment, flags)))
    const database = await openFor(t, url)
    t.equal((await database.writer.selectFrom("event").select("id").execute()).length, 4)
  })
})
