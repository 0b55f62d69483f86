// Disturbs two services and their MySQL while partners poll and writers write, and checks that nothing is lost:
// make chaos SOAK_SECONDS=600 SEED=7 FAULTS=kill-service,reload
import t from "tap"
import { ownMysql } from "../../support/mysql/own-server.ts"
import { Random } from "../../support/random.ts"
import { chosenFaults, secondsOf, seed } from "../support/chosen.ts"
import { Crowd } from "./crowd.ts"
import { faults } from "./faults/all.ts"
import { feedPartners, goodPartners, losingPartners } from "./partners.ts"
import { play } from "./play.ts"
import { describeResult } from "./report.ts"
import { openSingle } from "./single.ts"

const chosen = chosenFaults(faults)
const least = Math.min(5, chosen.length)
const outcomes = chosen === faults ? ["200", "304", "204", "503"] : ["200"]
t.setTimeout(60 * 60_000)
const program = await ownMysql()

await t.test(`services recover from each fault, and partners lose nothing: SEED=${seed}`, {
  skip: typeof program === "string" && program,
}, async (t) => {
  if (typeof program === "string") return
  const { signal } = new AbortController()
  const seconds = secondsOf(40)
  const random = new Random(seed)
  // Room for what a run writes, and little more: one of the faults fills it.
  const megabytes = 64 + Math.ceil(seconds / 15)
  const stage = await openSingle(t, { program, megabytes, random, signal })
  const partners = [...goodPartners, ...feedPartners, ...losingPartners]
  const crowd = new Crowd(stage, random, { partners })
  const report = (line: string) => t.comment(line)
  const options = { crowd, random, seconds, least, outcomes, faults: chosen, signal, report }
  const result = await play(stage, options)
  const { observations } = stage
  const { injected, comparison } = result
  t.comment(describeResult(result))
  t.strictSame(observations.violations, [])
  t.ok(injected.length >= least, "several faults were injected")
  t.ok(comparison && comparison.compared > 1000, "a few thousand records were compared")
  t.ok(comparison && comparison.lostByControl > 0, "a run in which nobody can lose finds nothing")
  for (const outcome of outcomes) {
    t.ok(observations.outcomes().has(outcome), `some responses were ${outcome}`)
  }
})
