// Disturbs the database that records come from: make chaos plays it with all else.
// SOAK_SECONDS=600 SEED=7 FAULTS=source-restore node --import=./test/runner/preload.ts test/soak/chaos/source.test.ts
import t from "tap"
import { ownMysql } from "../../support/mysql/own-server.ts"
import { Random } from "../../support/random.ts"
import { chosenFaults, secondsOf, seed } from "../support/chosen.ts"
import { Crowd } from "./crowd.ts"
import { sourceFaults } from "./faults/source.ts"
import { play } from "./play.ts"
import { openSingle } from "./single.ts"

t.setTimeout(60 * 60_000)
const chosen = chosenFaults(sourceFaults)
const program = await ownMysql()

await t.test(
  `partners have what the SELECTs of a source return, whatever happens to it: SEED=${seed}`,
  {
    skip: typeof program === "string" && program,
  },
  async (t) => {
    if (typeof program === "string") return
    const { signal } = new AbortController()
    const random = new Random(seed)
    const stage = await openSingle(t, { program, megabytes: 128, random, signal })
    // Nobody else polls or writes.
    const crowd = new Crowd(stage, random, { partners: [], writers: 0 })
    const result = await play(stage, {
      ...{ crowd, random, seconds: secondsOf(20), faults: chosen, signal },
      least: chosen.length,
      report: (line) => t.comment(line),
    })
    t.strictSame(stage.observations.violations, [])
    t.ok(stage.source.commits > 50, `${stage.source.commits} changes`)
    t.ok(result.comparison, "the copies were compared at the end")
  },
)
