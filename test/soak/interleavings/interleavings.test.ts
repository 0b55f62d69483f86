import process from "node:process"
import t, { type Test } from "tap"
import { freshUrl, withoutMysql } from "../../support/database.ts"
import { filteredDesign, losingDesigns, realDesign, survived } from "./designs.ts"
import { findDesign, type Loss, playAll } from "./play-all.ts"
import { interleavings } from "./plan.ts"
import { openStage, type Stage } from "./stage.ts"

/** INTERLEAVING is the index of one to play and to print as a table, and DESIGN says whose. */
const { DESIGN: chosen = realDesign, INTERLEAVING: index } = process.env

t.setTimeout(20 * 60_000)

await t.test("one interleaving", {
  skip: withoutMysql || index === undefined && "INTERLEAVING chooses none",
}, async (t) => {
  const design = findDesign(chosen)
  const stage = await openStage(await freshUrl(t, "mysql"))
  t.teardown(() => stage.close())
  const { problem, table } = await stage.play(design, Number(index))
  t.comment(`\n${table()}`)
  t.equal(problem, undefined)
})

await t.test("on MySQL", {
  skip: withoutMysql || index !== undefined && "one is chosen",
}, async (t) => {
  // One waits for MySQL while another one computes.
  const stages: Stage[] = []
  for (let count = 0; count < 3; count++) {
    const stage = await openStage(await freshUrl(t, "mysql"))
    t.teardown(() => stage.close())
    stages.push(stage)
  }

  for (const name of [realDesign, filteredDesign]) {
    await t.test(`no reader loses a record in a fortieth of the interleavings of two writers and a walk: ${name}`, async (t) => {
      const most = Number(process.env["INTERLEAVINGS"] ?? Math.ceil(interleavings / 40))
      const after = Number(process.env["SEED"] ?? 0) % interleavings
      const { played, loss } = await playAll(stages, findDesign(name), { most, after })
      if (loss) report(t, name, loss)
      else t.equal(played, most, `${played} of ${interleavings}, after ${after}`)
    })
  }

  for (const [name, design] of Object.entries(losingDesigns)) {
    await t.test(`the suite finds what a design loses: ${name}`, async (t) => {
      const { loss } = await playAll(stages, design, { after: survived[name] ?? 0 })
      t.match(loss?.problem, /the copy differs/, `in interleaving ${loss?.index}`)
      if (!loss) return
      const again = await (stages[0] as Stage).play(design, loss.index)
      t.match(again.problem, /the copy differs/, "its replay loses, too")
      const kind = { ...design.kind, keeps: "Next-Since" } as const
      const own = { ...design, ...findDesign(realDesign), kind }
      const played = await (stages[0] as Stage).play(own, loss.index)
      t.equal(played.problem, undefined, "this service loses nothing there")
    })
  }
})

/** Fails with the table of an interleaving, and the variables that replay it. */
function report(t: Test, design: string, { index, problem, table }: Loss): void {
  // Not in the name of the assertion, which has no line breaks.
  t.fail(problem, {
    interleaving: table.split("\n"),
    replay: `DESIGN="${design}" INTERLEAVING=${index}`,
  })
}
