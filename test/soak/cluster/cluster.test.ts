// Kills, pauses and disconnects MySQL servers of a group, and of a primary with replicas, while partners poll and writers
// write, and checks that nothing is lost: make cluster SOAK_SECONDS=600 SEED=7 TOPOLOGY=group FAULTS=kill,pause
import process from "node:process"
import t from "tap"
import { ownMysql } from "../../support/mysql/own-server.ts"
import { Random } from "../../support/random.ts"
import { Crowd } from "../chaos/crowd.ts"
import { feedPartners, goodPartners } from "../chaos/partners.ts"
import { play } from "../chaos/play.ts"
import { describeResult } from "../chaos/report.ts"
import { chosenFaults, secondsOf, seed } from "../support/chosen.ts"
import { faults } from "./faults.ts"
import { openCluster } from "./stage.ts"
import { openGroup, openReplicas } from "./topology.ts"

t.setTimeout(60 * 60_000)
const { FAULTS: named, SOAK_SECONDS: given, TOPOLOGY: only } = process.env
const program = await ownMysql()
const chosen = new Set(chosenFaults([...new Set(Object.values(faults).flat())]))
/** In the usual time, some faults would not end. */
const hasTime = given !== undefined || named !== undefined
/** They poll less often than in make chaos: there are more processes. */
const partners = [...goodPartners, ...feedPartners].map((partner) => ({
  ...partner,
  pause: [partner.pause[0] * 3, partner.pause[1] * 2] as const,
}))

const openers = { group: openGroup, replicas: openReplicas }

await t.test(`partners lose nothing while servers are disturbed: SEED=${seed}`, {
  skip: typeof program === "string" && program,
}, async (t) => {
  if (typeof program === "string") return
  const { signal } = new AbortController()
  const names = (["group", "replicas"] as const).filter((name) => (only ?? name) === name)
  await Promise.all(names.map(async (name) => {
    const random = new Random(seed)
    const topology = await openers[name](t, { program, signal })
    const stage = await openCluster(t, topology, random)
    const crowd = new Crowd(stage, random, { partners, writers: 3 })
    const result = await play(stage, {
      ...{ crowd, random, signal },
      seconds: secondsOf(25),
      // Two that move nothing, and one that does.
      least: 3,
      faults: faults[name].filter((fault) => chosen.has(fault) && (hasTime || !fault.isLong)),
      report: (line) => t.comment(`${name}: ${line}`),
    })
    const { injected, comparison } = result
    t.comment(describeResult(result))
    t.strictSame(stage.observations.violations, [])
    t.ok(injected.length > 0, `the ${name} was disturbed`)
    t.ok(stage.answered.size > 2, "several servers have answered")
    t.ok(crowd.polls > 50 && crowd.exports > 0, "partners have polled")
    t.ok(comparison && comparison.compared > 1000, "many records were compared")
  }))
})
