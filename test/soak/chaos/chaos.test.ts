import process from "node:process"
import t from "tap"
import { localMysql } from "../../support/mysql/programs.ts"
import { faults } from "./faults/all.ts"
import { leastKills, withoutProgram } from "./feed-program.ts"
import { describeResult } from "./report.ts"
import { runChaos } from "./run.ts"

const outcomes = ["200", "304", "204", "503"]
t.setTimeout(20 * 60_000)
const { signal } = new AbortController()
const seed = Number(process.env["SEED"] ?? 1)
const program = await localMysql(signal).catch((error: Error) => error.message)

await t.test(`services recover from each fault, and partners lose nothing: SEED=${seed}`, {
  skip: typeof program === "string" && `there is no MySQL server to kill: ${program}`,
}, async (t) => {
  if (typeof program === "string") return
  const result = await runChaos({
    program,
    seconds: 40,
    least: 5,
    outcomes,
    seed,
    faults,
    signal,
    onRecovered: () => {},
  })
  const { injected, observations, comparison, programs } = result
  t.strictSame(observations.violations, [], { report: describeResult(result).split("\n") })
  t.ok(injected.length >= 5, "several faults were injected")
  t.ok(comparison && comparison.compared > 1000, "a few thousand records were compared")
  t.ok(
    withoutProgram || programs.kills >= leastKills && programs.compared > 500,
    "feed.sh was killed",
  )
  for (const outcome of outcomes) {
    t.ok(observations.outcomes().has(outcome), `some responses were ${outcome}`)
  }
})
