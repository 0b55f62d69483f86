import { join } from "node:path"
import t from "tap"
import demonstration from "../../../config/demo/demonstration.ts"
import { secret } from "../../support/app.ts"
import { configFolder } from "../../support/config-folder.ts"
import { startProcess } from "../support/service-process.ts"
import { freshUrl, onEveryEngine, openFor } from "../../support/database.ts"

await onEveryEngine(t, async (t, engine) => {
  await t.test("two servers with --migrate --demo fill an empty database together", async (t) => {
    const url = await freshUrl(t, engine)
    const DEMO_MAPPING = join(configFolder(t).folder, "platform.yaml")
    const environment = { DATABASE_URL: url, SESSION_SECRET: secret, PORT: "0", DEMO_MAPPING }
    const flags = ["--migrate", "--demo"]
    await Promise.all([1, 2].map(() => startProcess(t, "node", environment, flags)))
    const database = await openFor(t, url)
    t.equal((await database.writer.selectFrom("event").select("id").execute()).length, 4)
    t.equal(await demonstration.hasArrived(database.writer), true, "both have waited for it")
  })
})
