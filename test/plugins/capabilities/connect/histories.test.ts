import t from "tap"
import { playHistories } from "../../../support/connect/histories.ts"
import { freshPlatform } from "../../../support/connect/platform.ts"
import { onEveryEngine } from "../../../support/database.ts"

await onEveryEngine(t, async (t, engine) => {
  await t.test("after any history and any kills, partners are served what the SELECT returns", async (t) => {
    // MySQL makes a database for each.
    await playHistories(t, {
      runs: engine === "mysql" ? 8 : 25,
      open: () => freshPlatform(t, engine),
    })
  })
})
