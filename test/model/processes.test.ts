// slow: searches hundreds of thousands of states
import t from "tap"
import { check, explain } from "./check.ts"
import { type ProcessDesign, Processes, type ProcessScope, realProcesses } from "./processes.ts"

const once = { setBacks: 1, changes: 1, looks: 2, requests: 1, by: 3, slow: 0 } as const

/** Small worlds in which the clock is set back, by more than the margin. */
const scopes: Readonly<Record<string, ProcessScope>> = {
  "one process knows of the step, and the other does not": { ...once, seconds: 3 },
  "a partner polls both": { ...once, seconds: 2, requests: 2 },
  "changes are committed late": { ...once, seconds: 2, looks: 1, requests: 2, commitsLate: true },
  "others come between the statements of a look": { ...once, seconds: 3, looks: 1, slow: 1 },
  "two looks come between each other's statements": { ...once, seconds: 2, slow: 2 },
}

/** Designs that lose, and where they differ from `once`. */
const losing: Readonly<Record<string, readonly [Partial<ProcessDesign>, Partial<ProcessScope>]>> = {
  "since is never taken back": [{ steps: "never" }, { seconds: 3, requests: 2 }],
  "each process compares the clock with what it has seen itself": [
    { known: "in the memory of each process", beginsAgain: false },
    { seconds: 3, requests: 2 },
  ],
  "no look begins again": [{ beginsAgain: false }, { slow: 2 }],
}

for (const [name, scope] of Object.entries(scopes)) {
  t.test(`two processes lose nothing after a step of the clock: ${name}`, async (t) => {
    const { states, counterexample } = check(new Processes(realProcesses, scope), { most: 150_000 })
    t.comment(`${states} states`)
    t.equal(counterexample && explain(counterexample), undefined)
  })
}

for (const [name, [design, own]] of Object.entries(losing)) {
  t.test(`two processes lose a record after a step of the clock if ${name}`, async (t) => {
    const scope = { ...once, seconds: 2, ...own }
    const { counterexample } = check(new Processes({ ...realProcesses, ...design }, scope))
    if (!counterexample) return t.fail("the checker found nothing")
    t.comment(`\n${explain(counterexample)}`)
    t.match(counterexample.problem, /^#1 was inserted at \d+, and the partner does not have it/)
  })
}
