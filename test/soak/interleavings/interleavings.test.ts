import process from "node:process"
import t, { type Test } from "tap"
import { freshUrl, withoutMysql } from "../../support/database.ts"
import { type Loss, playAll } from "./play-all.ts"
import { interleavings } from "./plan.ts"
import { openStage, type Stage } from "./stage.ts"

/** INTERLEAVING is the index of one to play and to print as a table; with FILTERED, by the family with a filter. */
const { FILTERED: filtered, INTERLEAVING: index } = process.env

t.setTimeout(20 * 60_000)

await t.test("one interleaving", {
  skip: withoutMysql || index === undefined && "INTERLEAVING chooses none",
}, async (t) => {
  const stage = await openStage(await freshUrl(t, "mysql"))
  t.teardown(() => stage.close())
  const { problem, table } = await stage.play(Number(index), filtered !== undefined)
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

  for (const isFiltered of [false, true]) {
    const name = `no reader of ${isFiltered ? "chosen" : "all"} guests loses a record`
    await t.test(`${name} in a fortieth of the interleavings of two writers and a walk`, async (t) => {
      const most = Number(process.env["INTERLEAVINGS"] ?? Math.ceil(interleavings / 40))
      const after = Number(process.env["SEED"] ?? 0) % interleavings
      const { played, loss } = await playAll(stages, isFiltered, { most, after })
      if (loss) report(t, isFiltered, loss)
      else t.equal(played, most, `${played} of ${interleavings}, after ${after}`)
    })
  }
})

/** Fails with the table of an interleaving, and the variables that replay it. */
function report(t: Test, isFiltered: boolean, { index, problem, table }: Loss): void {
  // Not in the name of the assertion, which has no line breaks.
  t.fail(problem, {
    interleaving: table.split("\n"),
    replay: `${isFiltered ? "FILTERED=1 " : ""}INTERLEAVING=${index}`,
  })
}
