import type { Test } from "tap"
import { findCase } from "./cases.ts"
import { type Exploration, explore } from "./explore.ts"
import { lengthsOf } from "./machine.ts"
import { countMerges } from "./merges.ts"
import { commandOf, replay } from "./replay.ts"

/** Fails with the table of the first merge in which a design loses. Returns the number of merges. */
export function checkAll(t: Test, design: string, scenario: string): number {
  const { machine } = findCase(design, scenario)
  const { merges, failure } = explore(machine)
  const all = countMerges(lengthsOf(machine))
  if (failure) {
    const { index, problem } = failure
    // Not in the name of the assertion, which has no line breaks.
    t.fail(`${scenario}: ${problem}`, {
      interleaving: replay(machine, index).table.split("\n"),
      replay: commandOf({ design, scenario, index }),
    })
  } else {
    t.equal(merges, all, `${scenario}: ${format(merges)} of ${format(all)}`)
  }
  return merges
}

/** Passes if a design loses in one of the merges of its scenario. */
export function checkLosing(t: Test, design: string): Exploration["failure"] {
  const { machine, scenario } = findCase(design)
  const { failure } = explore(machine)
  t.ok(failure, `loses in merge ${failure?.index} of "${scenario}"`)
  if (failure) {
    t.equal(replay(machine, failure.index).problem, failure.problem, "its replay loses the same")
  }
  return failure
}

/** Writes a number with commas: 1,201,200. */
export function format(number: number): string {
  return new Intl.NumberFormat("en").format(number)
}
