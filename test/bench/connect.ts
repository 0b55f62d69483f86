// Measures how fast records of a platform come in: node test/bench/connect.ts, or
// node test/bench/connect.ts --engine mysql --guests 20000. Try --help for more.
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { Command, Option } from "commander"
import { textTable } from "../../core/cli/context.ts"
import { migrate } from "../../core/data/migrate.ts"
import { openDatabase } from "../../core/data/open.ts"
import { openSource } from "../../plugins/capabilities/connect/sources/open.ts"
import { assertOutcome, takeOver } from "../../plugins/capabilities/connect/take-over.ts"
import { fillStatements, mappingOf, openPlatform } from "../support/connect/platform.ts"
import { storagesWithout } from "../support/storages.ts"
import { openBenchMysql } from "./mysql.ts"
import { measureTriggers } from "./told.ts"

interface Flags {
  readonly engine: "sqlite" | "mysql"
  readonly guests: string
  readonly into?: string
  readonly from?: string
}

const flags = new Command("node test/bench/connect.ts")
  .description(
    "Takes over the guests of a platform that joins four tables, then compares twice when nothing has changed. " +
      "Prints seconds, seconds of processor time of the service, and its largest memory. On MySQL, also what triggers " +
      "cost the platform, and how soon a change that they tell is in the service's table.",
  )
  .addOption(
    new Option("--engine <name>", "of the platform and of the service").choices([
      "sqlite",
      "mysql",
    ]).default("sqlite"),
  )
  .option("--guests <number>", "guests of the platform", "100000")
  .addOption(new Option("--into <url>", "take over in this process").hideHelp())
  .addOption(new Option("--from <url>", "the platform").hideHelp())
  .parse()
  .opts<Flags>()

const options = { connections: 4, timeLimit: 60, storages: storagesWithout([]) }

/** Compares once, and prints what it cost as JSON. Each process does it once, so that its memory says what is needed. */
async function compareOnce(into: string, from: string): Promise<void> {
  const database = await openDatabase(into, options)
  await migrate(database)
  const source = await openSource(from)
  const before = process.cpuUsage()
  const begun = performance.now()
  const outcome = await takeOver({
    database,
    source,
    mapping: mappingOf(from),
    owner: "bench",
  })
  const seconds = (performance.now() - begun) / 1000
  await source.close()
  assertOutcome(outcome)
  const { rows, added } = outcome.difference
  const { user, system } = process.cpuUsage(before)
  await database.close()
  console.log(JSON.stringify([
    `${rows} rows, ${added} added`,
    seconds.toFixed(1),
    ((user + system) / 1e6).toFixed(1),
    String(Math.round(process.resourceUsage().maxRSS / 1024)),
  ]))
}

function inProcess(into: string, from: string): string[] {
  const args = [import.meta.filename, "--into", into, "--from", from]
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: "utf8" })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

async function measure(into: string, from: string): Promise<void> {
  const platform = await openPlatform(from)
  await platform.run(...fillStatements(Number(flags.guests)))
  const rows = []
  for (const name of ["first load", "quiet", "quiet"]) rows.push([name, ...inProcess(into, from)])
  console.log(
    textTable([["COMPARISON", "", "SECONDS", "PROCESSOR SECONDS", "MEGABYTES"], ...rows]),
  )
  if (flags.engine === "mysql") {
    const database = await openDatabase(into, options)
    console.log(await measureTriggers(database, platform))
    await database.close()
  }
  await platform.close()
}

if (flags.into && flags.from) {
  await compareOnce(flags.into, flags.from)
} else if (flags.engine === "mysql") {
  const signal = new AbortController().signal
  const [service, platform] = [await openBenchMysql(signal), await openBenchMysql(signal)]
  await measure(service.url, platform.url).finally(() =>
    Promise.all([service.stop(), platform.stop()])
  )
} else {
  const folder = mkdtempSync(join(tmpdir(), "event-export-bench-"))
  const [service, platform] = ["service.db", "platform.db"].map((name) =>
    `sqlite:${join(folder, name)}`
  ) as [string, string]
  await measure(service, platform).finally(() => rmSync(folder, { recursive: true }))
}
process.exit()
