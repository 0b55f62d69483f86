import t from "tap"
import { requireResync } from "../../../core/change-log/resync.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"

await onEveryEngine(t, async (t, engine) => {
  await t.test("resync counts with the lag where open changes cannot be seen", async (t) => {
    const { migrator, dialect } = await freshDatabase(t, engine)
    const reached = await migrator.transaction().execute((db) => requireResync({ db, dialect }, 30))
    const { complete_since: completeSince } = await migrator.selectFrom("change_state")
      .select("complete_since").executeTakeFirstOrThrow()
    const now = Math.floor(Date.now() / 1000)
    t.ok(completeSince <= now - 29, "whoever polls now gets no 410 the next time")
    t.equal(reached, completeSince + 1, "services learn of it a moment later")
  })
})
