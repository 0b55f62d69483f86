// Compares the service with a hand-written server and with a minimal one, on real MySQL: make bench,
// or make bench ARGS="--case empty-poll --rounds 1 --seconds 2". Try --help for more.
import process from "node:process"
import { Command, InvalidArgumentError, Option } from "commander"
import { cases } from "./cases.ts"
import { measureProcesses, processesName } from "./processes.ts"
import { processTable, ratioTable, visibilityTable } from "./report.ts"
import { type CaseResult, measureCase } from "./rounds.ts"
import { withBench } from "./set-up.ts"
import { measureVisibility, visibilityName } from "./visibility.ts"

interface Flags {
  readonly case?: readonly string[]
  readonly rounds: number
  readonly seconds: number
  readonly against?: string
  readonly filtered?: true
  readonly capabilities?: readonly string[]
}

function readFlags(args: readonly string[]): Flags {
  const names = [...cases.map(({ name }) => name), visibilityName, processesName]
  return new Command("make bench")
    .description(
      "Compares the service with a hand-written server (peer) and a minimal one (floor).",
    )
    .addOption(
      new Option("--case <name>", "measure only this case; may be repeated").choices(names)
        .argParser((name: string, before?: string[]) => [...before ?? [], oneOf(names, name)]),
    )
    .option("--rounds <number>", "turns per server", wholeNumber, 5)
    .option("--seconds <number>", "seconds per turn", wholeNumber, 3)
    .option("--against <folder>", "compare with the service of another checkout instead")
    .option("--filtered", "compare with a family that chooses guests, all of whom it lets through")
    .option(
      "--capabilities <names>",
      "run ours with only these, separated by commas, or with none",
      capabilityNames,
    )
    .parse(args, { from: "user" })
    .opts<Flags>()
}

function oneOf(names: readonly string[], name: string): string {
  if (names.includes(name)) return name
  throw new InvalidArgumentError(`Choose from ${names.join(", ")}.`)
}

function capabilityNames(text: string): readonly string[] {
  return text === "none" ? [] : text.split(",")
}

function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new InvalidArgumentError("It must be a whole number above 0.")
}

async function main(flags: Flags, signal: AbortSignal): Promise<void> {
  const { case: names, against, filtered } = flags
  const chosen = cases.filter(({ name, list, shape }) =>
    (names?.includes(name) ?? true) && (!filtered || (list === "guests" && shape === "full"))
  )
  const visibility = names?.includes(visibilityName) ?? !filtered
  const processes = names?.includes(processesName) ?? (against === undefined && !filtered)
  const events = new Set(chosen.map(({ event }) => event))
  if (processes || visibility) events.add("large")
  if (chosen.some(({ cold }) => cold)) events.add("middle")
  await withBench({ ...flags, events, signal }, async ({ field, options, mysql }) => {
    const rounds = { ...flags, mysqlPid: mysql.pid, signal }
    const results: CaseResult[] = []
    for (const each of chosen) {
      console.log(`bench: ${each.name}: ${each.summary}`)
      results.push(await measureCase(each, field, rounds))
    }
    if (results.length > 0) console.log(`\n${ratioTable(results)}\n`)
    if (visibility) {
      console.log(`bench: ${visibilityName}: from a commit to the first poll that shows it`)
      console.log(`\n${visibilityTable(await measureVisibility(field, rounds))}\n`)
    }
    if (processes) {
      console.log(`bench: ${processesName}: polls of several processes that share a port`)
      console.log(`\n${processTable(await measureProcesses(field, options, rounds))}`)
    }
  })
}

const stopping = new AbortController()
for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
  process.on(signal, () => {
    // A second signal ends the process at once; its servers end with it.
    if (stopping.signal.aborted) process.exit(code)
    process.exitCode = code
    stopping.abort()
  })
}
try {
  await main(readFlags(process.argv.slice(2)), stopping.signal)
} catch (error) {
  process.exitCode ||= 1
  // Prints only the message: an error of the driver has the whole statement on it.
  if (!stopping.signal.aborted) console.error((error as Error).message)
}
process.exit()
