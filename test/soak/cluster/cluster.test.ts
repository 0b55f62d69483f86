import process from "node:process"
import t from "tap"
import { ownMysql } from "../../support/mysql/own-server.ts"
import { describeHalf } from "./report.ts"
import { runClusters } from "./run.ts"

t.setTimeout(20 * 60_000)
const program = await ownMysql()
const seed = Number(process.env["SEED"] ?? 1)

await t.test(`partners lose nothing while servers are disturbed: SEED=${seed}`, {
  skip: typeof program === "string" && program,
}, async (t) => {
  if (typeof program === "string") return
  t.comment(`seed ${seed}`)
  const results = await runClusters({
    program,
    seconds: 25,
    seed,
    topologies: ["group", "replicas"],
    faults: ({ isLong }) => !isLong,
    signal: new AbortController().signal,
    report: (line) => t.comment(line),
  })
  for (const result of results) {
    const { topology: { name }, observations, faults, tally, comparison, crowd } = result
    const report = describeHalf(result).split("\n")
    t.strictSame(observations.violations, [], { report })
    t.ok(faults.size > 0, `the ${name} was disturbed`)
    t.ok(tally.nodes.filter((node) => node !== "none").length > 1, "several servers have answered")
    t.ok(tally.count("records") > 100 && crowd.polls > 50, "partners have polled")
    t.ok(comparison && comparison.compared > 1000, "many records were compared")
  }
})
