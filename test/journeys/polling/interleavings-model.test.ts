// slow: plays millions of interleavings
import t, { type Test } from "tap"
import { recordCount } from "../../evidence/counts.ts"
import { checkAll, checkLosing, format } from "../../support/interleavings/check.ts"
import { lengthsOf } from "../../support/interleavings/machine.ts"
import { countMerges } from "../../support/interleavings/merges.ts"
import { findCase } from "../../support/interleavings/cases.ts"
import {
  losingDesigns,
  ownDesign,
  safeDesigns,
} from "../../support/interleavings/polling/designs.ts"
import { long, pairs, setBack, special } from "../../support/interleavings/polling/scenarios.ts"

t.setTimeout(20 * 60_000)

/** Plays all interleavings, and counts them. */
function play(t: Test, design: string, scenario: string): number {
  const merges = checkAll(t, design, scenario)
  if (t.passing()) {
    recordCount("interleavings", {
      command: "node test/journeys/polling/interleavings-model.test.ts",
      counted: { scenarios: 1, interleavings: merges },
    })
  }
  return merges
}

t.test("two writers and a walk of four requests have 4,200 merges, three writers 1,201,200", (t) => {
  const count = (scenario: string) => countMerges(lengthsOf(findCase(ownDesign, scenario).machine))
  t.equal(count("two updates"), 4_200)
  t.equal(count("three writers"), 1_201_200)
  t.end()
})

for (const scenario of Object.keys(special).filter((name) => name !== setBack)) {
  t.test(`no reader loses a record in any interleaving: ${scenario}`, (t) => {
    play(t, ownDesign, scenario)
    t.end()
  })
}

t.test("no reader loses a record in any interleaving of two writers, whatever they do", (t) => {
  let merges = 0
  for (const scenario of pairs.keys()) merges += play(t, ownDesign, scenario)
  t.equal(merges, pairs.size * 4_200, `${format(merges)} in ${pairs.size} scenarios`)
  t.end()
})

for (const [design, { margin }] of Object.entries(safeDesigns)) {
  if (design === ownDesign) continue
  t.test(`no reader loses a record in any interleaving of the variant: ${design}`, (t) => {
    for (const scenario of Object.keys(special).filter((name) => !long.includes(name))) {
      if (scenario !== setBack || margin > 0) play(t, design, scenario)
    }
    t.end()
  })
}

for (const design of Object.keys(losingDesigns)) {
  t.test(`the model finds a record that a design loses: ${design}`, (t) => {
    t.match(checkLosing(t, design)?.problem, /in the copy and .* in the table/)
    t.end()
  })
}
