// Upgrades two services under load, one after the other, and rolls back: make upgrade. It fails unless every request
// succeeds and all copies of partners equal the tables at the end. Try --help for more.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import process from "node:process"
import { Command } from "commander"
import { textTable } from "../../../core/cli/context.ts"
import { lastRelease } from "../../releases/last-release.ts"
import { atExit } from "../../support/at-exit.ts"
import { localMysql } from "../../support/mysql/programs.ts"
import { installVersions } from "./packages.ts"
import { rollOver } from "./rolling.ts"

const flags = new Command("make upgrade")
  .description("Upgrades two services under load, one after the other, and rolls back.")
  .option(
    "--previous <version>",
    "a tarball or a commit (default: the one that recorded the last release)",
  )
  .option("--seconds <number>", "how long the load goes on after each step", Number, 8)
  .option("--seed <number>", "of the load", Number, Date.now() % 100_000)
  .parse()
  .opts<{ previous?: string; seconds: number; seed: number }>()

const stopping = new AbortController()
process.once("SIGINT", () => stopping.abort())
process.once("SIGTERM", () => stopping.abort())

const folder = mkdtempSync(join(tmpdir(), "event-export-versions-"))
atExit(() => rmSync(folder, { recursive: true, force: true }))
const report = (line: string) => console.log(`upgrade: ${line}`)
const release = basename(lastRelease)
const versions = await installVersions(folder, { given: flags.previous, release })
report(
  `${versions.previous.version} to ${versions.next.version}: ${versions.origin}; seed ${flags.seed}`,
)
const { observations, crowd, readers, pulls, comparison, messages } = await rollOver({
  program: await localMysql(stopping.signal),
  versions,
  seconds: flags.seconds,
  seed: flags.seed,
  signal: stopping.signal,
  report,
})

const wanted = new Set(["200", "204", "304"])
const outcomes = observations.outcomes()
const failed = [...outcomes].filter(([outcome]) => !wanted.has(outcome))
console.log(`
${
  textTable([
    ["REQUESTS", "OUTCOME"],
    ...[...outcomes].map(([name, count]) => [String(count), name]),
  ])
}

${crowd.commits} transactions committed; ${crowd.polls} polls, of which ${crowd.resyncs} from the beginning
${readers.woken} requests woken by a change; ${readers.exports} exports, ${readers.interrupted} of them in two parts; \
${pulls} runs of pull
${comparison.compared} records of copies compared with the tables; control: partners by the largest updated lost \
${comparison.lostByControl}
${messages.join("\n")}
`)
const { violations } = observations
for (const violation of violations) console.log(`broken: ${violation}`)
const isGood = violations.length === 0 && failed.length === 0
console.log(isGood ? "No request failed, and no record was lost." : "Something failed.")
process.exit(isGood ? 0 : 1)
