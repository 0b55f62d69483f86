// slow: searches hundreds of thousands of states
import t, { type Test } from "tap"
import { recordCount } from "../evidence/counts.ts"
import { check, explain, type Exploration } from "./check.ts"
import { type Design, real } from "./design.ts"
import { losing } from "./losing.ts"
import { Replication } from "./replication.ts"
import type { Scope } from "./scope.ts"
import { scopes } from "./scopes.ts"

for (const [name, scope] of Object.entries(scopes)) {
  t.test(`the service loses nothing, and answers, with ${name}`, async (t) => {
    const { states, steps } = passes(t, real, scope)
    if (t.passing()) {
      recordCount("model", {
        command: "node test/model/replication.test.ts",
        counted: { scopes: 1, states, steps },
      })
    }
  })
}

for (const [name, { design, without, scope, problem, steps }] of Object.entries(losing)) {
  t.test(`records are lost, or not sent, if ${name}`, async (t) => {
    if (without) passes(t, { ...real, ...without }, scope)
    const { counterexample } = search({ ...real, ...without, ...design }, scope)
    if (!counterexample) return t.fail("the checker found nothing")
    t.comment(`\n${explain(counterexample)}`)
    t.match(counterexample.problem, problem)
    t.equal(counterexample.trace.length, steps)
  })
}

function passes(t: Test, design: Design, scope: Scope): Exploration {
  const exploration = search(design, scope)
  const { states, depth, counterexample } = exploration
  t.comment(`${states} states, up to ${depth} steps from the start`)
  t.equal(counterexample && explain(counterexample), undefined)
  return exploration
}

function search(design: Design, scope: Scope): Exploration {
  return check(new Replication(design, scope), { most: 50_000 })
}
