import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"

/** What a long run has counted last. */
export interface Count {
  /** Repeats it. */
  readonly command: string
  readonly version: string
  /** The last commit that changed the programs of the service. */
  readonly commit: string
  /** A day in UTC. */
  readonly date: string
  /** By what was counted, such as `records compared`. */
  readonly counted: Readonly<Record<string, number>>
}

const file = join(import.meta.dirname, "counts.json")

/** Returns the last counts by the names of the runs, as they were recorded. */
export function readCounts(): Record<string, Count> {
  return JSON.parse(readFileSync(file, "utf8"))
}

/**
 * Writes what a long run has counted in the place of its last counts, if the variable EVIDENCE is set, as in
 * `EVIDENCE=1 make chaos`, or the command has `--record`. For a run that found nothing wrong: the caller decides that. If
 * one process calls it several times for a run, its numbers are added up. `test/evidence/write.ts` puts them on the page.
 */
export function recordCount(
  run: string,
  { command, counted }: Pick<Count, "command" | "counted">,
): void {
  if (!isRecorded) return
  const sums = added.get(run) ?? new Map<string, number>()
  added.set(run, sums)
  for (const [name, number] of Object.entries(counted)) {
    sums.set(name, (sums.get(name) ?? 0) + number)
  }
  const { version } = JSON.parse(readFileSync("package.json", "utf8"))
  const count: Count = {
    command,
    version,
    commit,
    date: new Date().toISOString().slice(0, 10),
    counted: Object.fromEntries(sums),
  }
  const counts = Object.entries({ ...readCounts(), [run]: count })
    .sort(([one], [other]) => one < other ? -1 : 1)
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(counts), null, 2)}\n`)
}

const isRecorded = Boolean(process.env["EVIDENCE"]) || process.argv.includes("--record")

/** Of what runs, even if somebody commits meanwhile. */
const commit = isRecorded ? lastCommit() : ""

/** What this process has counted, by run. */
const added = new Map<string, Map<string, number>>()

function lastCommit(): string {
  const paths = ["core/*.ts", "plugins/*.ts", "package-lock.json"]
  const args = ["log", "-1", "--abbrev=8", "--format=%h", "--", ...paths]
  return execFileSync("git", args, { encoding: "utf8" }).trim()
}
