// slow: plays thousands of interleavings on MySQL
import "../../support/polling/without-hooks.ts"
import t, { type Test } from "tap"
import { freshUrl, withoutMysql } from "../../support/database.ts"
import { format } from "../../support/interleavings/check.ts"
import {
  losingDesigns,
  realDesign,
  safeDesigns,
} from "../../support/interleavings/mysql/designs.ts"
import { findDesign, type Loss, playAll } from "../../support/interleavings/mysql/play-all.ts"
import { interleavings } from "../../support/interleavings/mysql/plan.ts"
import { openStage, type Stage } from "../../support/interleavings/mysql/stage.ts"
import { mysqlCommandOf } from "../../support/interleavings/replay.ts"

t.setTimeout(20 * 60_000)

await t.test("on MySQL", { skip: withoutMysql }, async (t) => {
  t.setTimeout(20 * 60_000)
  // One waits for MySQL while another one computes.
  const stages: Stage[] = []
  for (let count = 0; count < 3; count++) {
    const stage = await openStage(await freshUrl(t, "mysql"))
    t.teardown(() => stage.close())
    stages.push(stage)
  }

  await t.test("no reader loses a record in any interleaving of two writers and a walk", async (t) => {
    t.setTimeout(20 * 60_000)
    const { played, loss } = await playAll(stages, findDesign(realDesign))
    if (loss) report(t, realDesign, loss)
    else t.equal(played, interleavings, `${format(played)} of ${format(interleavings)}`)
  })

  for (const [name, design] of Object.entries(losingDesigns)) {
    await t.test(`the suite finds what a design loses: ${name}`, async (t) => {
      t.setTimeout(20 * 60_000)
      const { loss } = await playAll(stages, design)
      t.match(loss?.problem, /in the copy and .* in the table/, `in interleaving ${loss?.index}`)
      if (!loss) return
      const again = await (stages[0] as Stage).play(design, loss.index)
      t.match(again.problem, /in the copy and .* in the table/, "its replay loses, too")
    })
  }

  for (const [name, design] of Object.entries(safeDesigns)) {
    if (name === realDesign) continue
    await t.test(`the suite blames no design for what it does not lose: ${name}`, async (t) => {
      t.setTimeout(20 * 60_000)
      const { loss } = await playAll(stages, design, { most: 200 })
      if (loss) report(t, name, loss)
    })
  }
})

/** Fails with the table of an interleaving, and the command that replays it. */
function report(t: Test, design: string, { index, problem, table }: Loss): void {
  // Not in the name of the assertion, which has no line breaks.
  t.fail(problem, { interleaving: table.split("\n"), replay: mysqlCommandOf({ design, index }) })
}
