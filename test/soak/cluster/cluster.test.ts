// Kills, pauses and disconnects MySQL servers of a group, and of a primary with replicas, while partners poll and writers
// write, and checks that nothing is lost: make cluster SOAK_SECONDS=600 SEED=7 TOPOLOGY=group FAULTS=kill,pause
import process from "node:process"
import t from "tap"
import { ownMysql } from "../../support/mysql/own-server.ts"
import { chosenFaults, secondsOf, seed } from "../support/chosen.ts"
import { enterLan } from "../support/cluster/lan.ts"
import { faults } from "./faults.ts"
import { describeHalf } from "./report.ts"
import { openers, runClusters } from "./run.ts"
import type { Topology } from "./topology.ts"

t.setTimeout(60 * 60_000)
const { FAULTS: named, LAN: lan, SOAK_SECONDS: seconds, TOPOLOGY: only } = process.env
const { signal } = new AbortController()
// There, no package can be fetched.
const program = await ownMysql()
const obstacle = lan ? await enterLan(signal) : undefined
const topologies = (Object.keys(openers) as Topology["name"][])
  .filter((name) => only === undefined || name === only)
const all = [...new Set(Object.values(faults).flat())]
const chosen = new Set(chosenFaults(all))
/** In the usual time, some faults would not end. */
const hasTime = seconds !== undefined || named !== undefined

await t.test(`partners lose nothing while servers are disturbed: SEED=${seed}`, {
  skip: typeof program === "string" && program,
}, async (t) => {
  if (typeof program === "string") return
  if (obstacle !== undefined) t.comment(`there can be no network of its own: ${obstacle}`)
  const results = await runClusters({
    program,
    seconds: secondsOf(25),
    seed,
    topologies,
    faults: (fault) => chosen.has(fault) && (hasTime || !fault.isLong),
    signal,
    report: (line) => t.comment(line),
  })
  for (const result of results) {
    const { topology: { name }, observations, faults, tally, comparison, crowd } = result
    t.comment(describeHalf(result))
    t.strictSame(observations.violations, [])
    t.ok(faults.size > 0, `the ${name} was disturbed`)
    t.ok(tally.nodes.filter((node) => node !== "none").length > 1, "several servers have answered")
    t.ok(tally.count("records") > 100 && crowd.polls > 50, "partners have polled")
    t.ok(comparison && comparison.compared > 1000, "many records were compared")
  }
})
