// Plays the interleavings of a model of polling, or of real ones: node test/interleavings.ts [options]
//
// --design "oldest first"      the design to play; by default the one of this service
// --scenario "two updates"     the steps to merge; by default those in which the design loses
// --index 1234                 plays only this interleaving, and prints it as a table
// --list                       prints the designs with their scenarios
// --mysql                      plays this service on MySQL, or a design of that test; it has one scenario.
//                              Uses the server of TEST_MYSQL_URL, or starts one as make test does
//
// Without --index, plays all of them in the order of their indexes, and prints the first that fails.
// Exits with 1 if an interleaving fails, with 2 for options that cannot be used.
import process from "node:process"
import { parseArgs } from "node:util"
import { cases, findCase } from "./support/interleavings/cases.ts"
import { format } from "./support/interleavings/check.ts"
import { explore } from "./support/interleavings/explore.ts"
import { lengthsOf } from "./support/interleavings/machine.ts"
import { countMerges } from "./support/interleavings/merges.ts"
import { playOnMysql } from "./support/interleavings/mysql/command.ts"
import { mysqlDesigns } from "./support/interleavings/mysql/designs.ts"
import { commandOf, explain, replay } from "./support/interleavings/replay.ts"

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      design: { type: "string" },
      scenario: { type: "string" },
      index: { type: "string" },
      list: { type: "boolean" },
      mysql: { type: "boolean" },
    },
  })
  const index = values.index === undefined ? undefined : Number(values.index)
  if (values.mysql && values.list) {
    console.log(Object.keys(mysqlDesigns).join("\n"))
    return 0
  }
  if (values.mysql) return await playOnMysql({ design: values.design, index })
  if (values.list) {
    for (const { design, scenario } of cases.values()) console.log(`${design}: ${scenario}`)
    return 0
  }
  const { machine, design, scenario } = findCase(values.design, values.scenario)
  if (index !== undefined) {
    const { table, problem } = replay(machine, index)
    const command = commandOf({ design, scenario, index })
    console.log(problem === undefined ? table : explain(problem, table, command))
    return problem === undefined ? 0 : 1
  }
  const started = performance.now()
  const { merges, nodes, failure } = explore(machine)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const all = format(countMerges(lengthsOf(machine)))
  console.log(`${format(merges)} of ${all} interleavings, ${format(nodes)} steps, ${seconds} s`)
  if (!failure) return 0
  const command = commandOf({ design, scenario, index: failure.index })
  console.log(explain(failure.problem, replay(machine, failure.index).table, command))
  return 1
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
