import t from "tap"
import { findCase } from "./cases.ts"
import { explore } from "./explore.ts"
import type { Machine } from "./machine.ts"
import { countMerges, mergeAt } from "./merges.ts"
import { losingDesigns } from "./polling/designs.ts"
import { replay } from "./replay.ts"

/** A machine that writes down its steps. */
function noting(problemOf: (notes: string) => string | undefined): Machine<string> {
  return {
    actors: [{ name: "a", steps: 2 }, { name: "b", steps: 2 }, { name: "c", steps: 1 }],
    start: "",
    next: (notes, actor, step) => `${notes}${"abc"[actor]}${step} `,
    problemOf,
    tell: (history) =>
      history.map(({ actor, state }, clock) => ({ clock, actor, does: "goes", got: state })),
  }
}

t.test("plays every merge once, in the order of the indexes, each actor in its own order", (t) => {
  const played: string[] = []
  const { merges, nodes, failure } = explore(noting((notes) => {
    played.push(notes.replaceAll(/[a-c]/g, (letter) => String("abc".indexOf(letter))))
    return undefined
  }))
  t.equal(merges, countMerges([2, 2, 1]))
  t.equal(failure, undefined)
  const expected = Array.from({ length: merges }, (_, index) => {
    const taken = [0, 0, 0]
    return mergeAt([2, 2, 1], index).map((actor) => {
      const step = taken[actor] ?? 0
      taken[actor] = step + 1
      return `${actor}${step} `
    }).join("")
  })
  t.strictSame(played, expected)
  t.ok(nodes < merges * 5, "merges share the steps of their beginning")
  t.end()
})

t.test("stops at the first merge that fails, which can be replayed by its index", (t) => {
  const machine = noting((notes) => notes.endsWith("c0 b1 ") ? "c before the last b" : undefined)
  const { merges, failure } = explore(machine)
  t.equal(merges, (failure?.index ?? 0) + 1)
  const { table, problem } = replay(machine, failure?.index ?? 0)
  t.equal(problem, "c before the last b")
  t.equal(
    table,
    [
      "clock | a    | b    | c    | the reader gets",
      "------|------|------|------|----------------",
      "0     | goes |      |      | a0",
      "1     | goes |      |      | a0 a1",
      "2     |      | goes |      | a0 a1 b0",
      "3     |      |      | goes | a0 a1 b0 c0",
      "4     |      | goes |      | a0 a1 b0 c0 b1",
    ].join("\n"),
  )
  t.end()
})

t.test("merges that come to the same state are counted, and the first that fails is found, as if all were played", (t) => {
  // The last two steps decide.
  const counting = noting((notes) => notes.endsWith("c0 b1 ") ? "c before the last b" : undefined)
  const keyOf = (notes: string) => notes.slice(-6)
  const { nodes: _, ...alone } = explore(counting)
  const { nodes: __, ...together } = explore({ ...counting, keyOf })
  t.strictSame(together, alone)
  const safe = noting(() => undefined)
  const { merges, nodes } = explore({ ...safe, keyOf: () => "" })
  t.equal(merges, countMerges([2, 2, 1]))
  t.ok(nodes < explore(safe).nodes / 2)
  for (const design of Object.keys(losingDesigns)) {
    const { machine } = findCase(design)
    const withoutKeys: Machine<unknown> = {
      actors: machine.actors,
      start: machine.start,
      next: (state, actor, step) => machine.next(state, actor, step),
      problemOf: (state) => machine.problemOf(state),
      tell: () => [],
    }
    t.strictSame(explore(machine).failure, explore(withoutKeys).failure, design)
  }
  t.end()
})
