// Disturbs two services and their MySQL while partners poll and writers write, and checks that nothing is lost:
// make chaos SOAK_SECONDS=600 SEED=7 FAULTS=kill-service,reload
import t from "tap"
import { localMysql } from "../../support/mysql/programs.ts"
import { chosenFaults, secondsOf, seed } from "../support/chosen.ts"
import { faults } from "./faults/all.ts"
import { leastKills, withoutProgram } from "./feed-program.ts"
import { describeResult } from "./report.ts"
import { runChaos } from "./run.ts"

const chosen = chosenFaults(faults)
const least = Math.min(5, chosen.length)
const outcomes = chosen === faults ? ["200", "304", "204", "503"] : ["200"]
t.setTimeout(60 * 60_000)
const { signal } = new AbortController()
const program = await localMysql(signal).catch((error: Error) => error.message)

await t.test(`services recover from each fault, and partners lose nothing: SEED=${seed}`, {
  skip: typeof program === "string" && `there is no MySQL server to kill: ${program}`,
}, async (t) => {
  if (typeof program === "string") return
  const result = await runChaos({
    program,
    seconds: secondsOf(40),
    least,
    outcomes,
    seed,
    faults: chosen,
    signal,
    onRecovered: ({ name, recovery }) =>
      t.comment(`${name}: recovered after ${recovery.map(Math.round).join(" and ")} ms`),
  })
  const { injected, observations, comparison, programs } = result
  t.comment(describeResult(result))
  t.strictSame(observations.violations, [])
  t.ok(injected.length >= least, "several faults were injected")
  t.ok(comparison && comparison.compared > 1000, "a few thousand records were compared")
  t.ok(
    withoutProgram || programs.kills >= leastKills && programs.compared > 500,
    "feed.sh was killed",
  )
  for (const outcome of outcomes) {
    t.ok(observations.outcomes().has(outcome), `some responses were ${outcome}`)
  }
})
