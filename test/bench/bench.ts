// Compares the service with a hand-written server and with a minimal one, on real MySQL: make bench,
// or make bench ARGS="--case empty-poll --rounds 1 --seconds 2". Try --help for more.
import { mkdirSync, writeFileSync } from "node:fs"
import { availableParallelism, cpus, totalmem } from "node:os"
import { dirname, join } from "node:path"
import process from "node:process"
import { Command, InvalidArgumentError, Option } from "commander"
import { cases } from "./cases.ts"
import { feats } from "./feats.ts"
import { measureProcesses, processesName, type ProcessRates } from "./processes.ts"
import { describeProfile, profileCase } from "./profile.ts"
import {
  type CaseReport,
  type FeatReport,
  featTable,
  processTable,
  ratioTable,
  reportCase,
  reportFeat,
  visibilityTable,
} from "./report.ts"
import { measureCase } from "./rounds.ts"
import { type Bench, withBench } from "./set-up.ts"
import { measureVisibility, type Visibility, visibilityName } from "./visibility.ts"

const folder = ".cache/bench"

interface Flags {
  readonly case?: readonly string[]
  readonly rounds: number
  readonly seconds: number
  readonly against?: string
  readonly capabilities?: readonly string[]
  readonly profile?: string
  readonly cpu?: true
  readonly json: string
}

function readFlags(args: readonly string[]): Flags {
  const names = [
    ...[...cases, ...feats].map(({ name }) => name),
    visibilityName,
    processesName,
  ]
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
    .option(
      "--capabilities <names>",
      "run ours with only these, separated by commas, or with none",
      capabilityNames,
    )
    .addOption(
      new Option("--profile <case>", `write a CPU profile of the service in one case to ${folder}`)
        .choices(cases.map(({ name }) => name)),
    )
    .option("--cpu", "show milliseconds of processor time per response: server + MySQL")
    .option("--json <file>", "write all figures to this file", join(folder, "result.json"))
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
  const names = flags.profile ? [flags.profile] : flags.case
  const choose = <Entry extends { readonly name: string }>(all: readonly Entry[]) =>
    names ? all.filter(({ name }) => names.includes(name)) : all
  const chosen = {
    cases: choose(cases),
    feats: flags.against ? [] : choose(feats),
    visibility: names?.includes(visibilityName) ?? true,
    processes: names?.includes(processesName) ?? flags.against === undefined,
  }
  const events = new Set(
    [...chosen.cases, ...chosen.feats].flatMap(({ event }) => event ?? []),
  )
  if (chosen.processes || chosen.visibility) events.add("large")
  if (chosen.cases.some(({ cold }) => cold)) events.add("middle")
  const { against, capabilities } = flags
  await withBench({ events, signal, against, capabilities }, async (bench) => {
    const [first] = chosen.cases
    if (flags.profile && first) {
      const file = await profileCase(first, bench, { folder, seconds: flags.seconds })
      console.log(`\n${describeProfile(file)}\n\nThe whole profile is in ${file}.`)
    } else {
      await measure(bench, { ...flags, ...chosen, signal })
    }
  })
}

async function measure(
  { field, options, mysql }: Bench,
  flags: Flags & {
    readonly cases: typeof cases
    readonly feats: typeof feats
    readonly visibility: boolean
    readonly processes: boolean
    readonly signal: AbortSignal
  },
): Promise<void> {
  const caseReports: CaseReport[] = []
  const featReports: FeatReport[] = []
  for (const each of flags.cases) {
    console.log(`bench: ${each.name}: ${each.summary}`)
    const result = await measureCase(each, field, { ...flags, mysqlPid: mysql.pid })
    caseReports.push(reportCase(result))
  }
  let visibility: Visibility | undefined
  if (flags.visibility) {
    console.log(
      `bench: ${visibilityName}: from the commit of changes to the first poll that shows them`,
    )
    visibility = await measureVisibility(field, { ...flags, mysqlPid: mysql.pid })
  }
  for (const feat of flags.feats) {
    console.log(`bench: ${feat.name}: ${feat.summary}`)
    const runs: number[] = []
    for (let run = 0; run < feat.times(flags.rounds); run++) {
      flags.signal.throwIfAborted()
      runs.push(await feat.run(field, options))
    }
    featReports.push(reportFeat(feat, runs))
  }
  let processes: ProcessRates | undefined
  if (flags.processes) {
    console.log(`bench: ${processesName}: polls of several processes that share a port`)
    processes = await measureProcesses({ field, options, mysqlPid: mysql.pid }, flags)
  }
  if (caseReports.length > 0) console.log(`\n${ratioTable(caseReports, flags.cpu ?? false)}`)
  if (visibility) console.log(`\n${visibilityTable(visibility)}`)
  if (featReports.length > 0) console.log(`\n${featTable(featReports)}`)
  if (processes) console.log(`\n${processTable(processes)}`)
  const result = {
    at: new Date().toISOString(),
    machine: describeMachine(),
    mysql: mysql.version,
    rounds: flags.rounds,
    seconds: flags.seconds,
    cases: caseReports,
    visibility,
    feats: featReports,
    processes,
  }
  mkdirSync(dirname(flags.json), { recursive: true })
  writeFileSync(flags.json, `${JSON.stringify(result, null, 2)}\n`)
  console.log(`\nAll figures are in ${flags.json}.`)
}

function describeMachine() {
  return {
    processors: availableParallelism(),
    model: cpus()[0]?.model ?? "unknown",
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    node: process.versions.node,
  }
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
