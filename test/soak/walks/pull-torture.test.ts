import t from "tap"
import { onEveryEngine } from "../../support/database.ts"
import { openStage } from "../../support/pull/stage.ts"
import { lag, torture } from "./pull-torture.ts"

t.setTimeout(20 * 60_000)

await onEveryEngine(t, async (t, engine) => {
  await t.test("copies equal the tables after kills and broken responses", async (t) => {
    const result = await torture({ ...await openStage(t, engine, lag), engine, seed: 1, kills: 10 })
    t.strictSame(result.differences, [])
    t.equal(result.leaks, 0, "no credentials went to another host")
    t.ok(result.compared > 500, "hundreds of records were compared")
    t.ok(result.changes > 20, "the writer wrote")
    t.ok(result.faults.size > 5, "responses were broken in several ways")
  })
})
