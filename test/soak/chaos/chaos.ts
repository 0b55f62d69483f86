// Disturbs two services and their MySQL while partners poll and writers write, and checks that nothing
// is lost: make chaos, or make chaos ARGS="--seconds 600 --seed 7". Try --help for more.
import process from "node:process"
import { Command, InvalidArgumentError } from "commander"
import type { Fault } from "./fault.ts"
import { faults } from "./faults/all.ts"
import { localMysql } from "../../support/mysql/programs.ts"
import { describeResult } from "./report.ts"
import { runChaos } from "./run.ts"

interface Flags {
  readonly seconds: number
  readonly seed?: number
  readonly faults?: readonly Fault[]
}

function readFlags(args: readonly string[]): Flags {
  const width = Math.max(...faults.map(({ name }) => name.length))
  const list = faults.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return new Command("make chaos")
    .description("Disturbs two services and their MySQL, and checks that partners lose nothing.")
    .option("--seconds <number>", "how long", wholeNumber, 60)
    .option("--seed <number>", "order and kind of faults (default: random)", wholeNumber)
    .option("--faults <names>", "only these, separated by commas (default: all)", faultsNamed)
    .addHelpText("after", `\nFaults:\n${list.join("\n")}`)
    .parse(args, { from: "user" })
    .opts<Flags>()
}

function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError("It must be a whole number.")
}

function faultsNamed(text: string): readonly Fault[] {
  return text.split(",").map((name) => {
    const fault = faults.find((each) => each.name === name.trim())
    if (!fault) throw new InvalidArgumentError(`There is no ${name}: see --help.`)
    return fault
  })
}

const stopping = new AbortController()
process.once("SIGINT", () => stopping.abort())
process.once("SIGTERM", () => stopping.abort())

const flags = readFlags(process.argv.slice(2))
const seed = flags.seed ?? Math.floor(Math.random() * 1_000_000)
console.log(`chaos: ${flags.seconds} s, seed ${seed}`)
const result = await runChaos({
  seconds: flags.seconds,
  faults: flags.faults ?? faults,
  program: await localMysql(stopping.signal),
  seed,
  signal: stopping.signal,
  onRecovered: ({ name, recovery }) =>
    console.log(`chaos: ${name}: recovered after ${recovery.map(Math.round).join(" and ")} ms`),
})
console.log(`\n${describeResult(result)}`)
const isGood = result.observations.violations.length === 0
process.exit(isGood ? 0 : 1)
