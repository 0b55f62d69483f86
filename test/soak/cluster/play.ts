// Kills, pauses and disconnects MySQL servers of a group, and of a primary with replicas, while partners poll and writers
// write, and checks that nothing is lost: make cluster, or make cluster ARGS="--seconds 600 --seed 7". Try --help.
import process from "node:process"
import { Command, Option } from "commander"
import { faults } from "./faults.ts"
import { describeHalf } from "./report.ts"
import { openers, runClusters } from "./run.ts"
import type { Topology } from "./topology.ts"
import { enterLan } from "../support/cluster/lan.ts"
import { localMysql } from "../../support/mysql/programs.ts"

interface Flags {
  readonly seconds: number
  readonly seed: number
  readonly only?: Topology["name"]
  readonly faults?: string
}

const all = [...new Map(Object.values(faults).flat().map((fault) => [fault.name, fault])).values()]
const topologies = Object.keys(openers) as Topology["name"][]
const flags = new Command("make cluster")
  .description("Disturbs MySQL servers and two services, and checks that partners lose nothing.")
  .option("--seconds <number>", "how long", Number, 60)
  .option("--seed <number>", "order and kind of faults (default: random)", Number, Date.now() % 1e6)
  .addOption(new Option("--only <topology>", "only this one").choices(topologies))
  .option("--faults <names>", "only these, separated by commas (default: all)")
  .addHelpText(
    "after",
    `\nFaults:\n${all.map((each) => `  ${each.name.padEnd(18)} ${each.summary}`).join("\n")}`,
  )
  .parse()
  .opts<Flags>()

const stopping = new AbortController()
process.once("SIGINT", () => stopping.abort())
process.once("SIGTERM", () => stopping.abort())

const chosen = flags.faults?.split(",")
// There, no package can be fetched.
const program = await localMysql(stopping.signal)
const obstacle = await enterLan(stopping.signal)
console.log(`cluster: ${flags.seconds} s, seed ${flags.seed}`)
if (obstacle !== undefined) {
  const skipped = all.filter(({ needsLan }) => needsLan).map(({ name }) => name).join(", ")
  console.log(
    `cluster: without ${skipped}, because there can be no network of its own: ${obstacle}`,
  )
}
const began = performance.now()
const results = await runClusters({
  ...flags,
  topologies: flags.only ? [flags.only] : topologies,
  faults: ({ name }) => chosen?.includes(name) ?? true,
  program,
  signal: stopping.signal,
  report: (line) =>
    console.log(`cluster: ${Math.round((performance.now() - began) / 1000)} s: ${line}`),
})
for (const result of results) console.log(`\n${describeHalf(result)}`)
const isGood = results.every(({ observations }) => observations.violations.length === 0)
console.log(isGood ? "\nNothing was lost." : `\nSomething failed: seed ${flags.seed}.`)
process.exit(isGood ? 0 : 1)
