// Runs tests: starts a MySQL server, sets TEST_MYSQL_URL to its URL, prints a report, and exits non-zero unless all
// tests passed. Arguments are test files or folders; without any, all everyday tests run. TEST runs only the tests with
// that text in their names. QUICK starts no MySQL. SOAK names the stages of test/soak/ to run instead, or is "all".
import "../support/clean-environment.ts"
import { mkdtempSync, rmSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import { atExit } from "../support/at-exit.ts"
import { memoryOrDisk } from "../support/memory.ts"
import { startMysql } from "../support/mysql-server.ts"
import { filterEnvironment, testFilter } from "../support/test-filter.ts"
import { Reporter } from "./reporter.ts"
import {
  elsewhere,
  everydayFiles,
  filesOfStage,
  findTestFiles,
  isSoak,
  stages,
} from "./test-files.ts"
import { TestProcess } from "./test-process.ts"
import { longestFirst, noteTimes, readTimes } from "./times.ts"

/** More than there are cores, because tests wait for MySQL, for clients and for looks of the service. Each process loads all code. */
const jobs = availableParallelism() + 2

/** The time limit of a file that asks for no other, in milliseconds. Each everyday test has one of its own. */
const limitMs = 600_000

const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }

/** Files to run together, with variables that they see. `inMemory` is a folder for them. */
interface Group {
  readonly name: string
  readonly files: readonly string[]
  readonly variables: (inMemory: string) => Readonly<Record<string, string>>
}

async function main(signal: AbortSignal): Promise<number> {
  const [, , ...given] = process.argv
  const groups: readonly Group[] = process.env["SOAK"] ? soakGroups(process.env["SOAK"]) : [{
    name: "everyday",
    files: given.length > 0 ? findTestFiles(given) : everydayFiles(),
    // All that they write is gone at the end, so no disk has to keep it.
    variables: (inMemory) => ({ TMPDIR: inMemory }),
  }]
  if (process.env["QUICK"]) return await runAll(groups, { env: {}, signal })
  const mysql = await startMysql(signal)
  if (mysql === undefined) return 1
  try {
    return await runAll(groups, { env: { TEST_MYSQL_URL: mysql.url }, signal })
  } finally {
    await mysql.stop()
  }
}

function soakGroups(names: string): Group[] {
  const all = stages()
  const chosen = names === "all" ? all : names.split(/[\s,]+/)
  return chosen.map((name) => {
    if (!all.includes(name)) {
      throw new Error(`No stage is called ${name}. The stages are ${all.join(", ")}`)
    }
    const variables: Record<string, string> = name === elsewhere ? { ELSEWHERE: "1" } : {}
    return { name, files: filesOfStage(name), variables: () => variables }
  })
}

/** Runs groups one after the other, with the databases in memory. Returns the exit code. */
async function runAll(groups: readonly Group[], { env, signal }: {
  readonly env: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}): Promise<number> {
  const folder = mkdtempSync(join(memoryOrDisk(1), "event-export-"))
  const forget = atExit(() => rmSync(folder, { recursive: true, force: true }))
  const reporter = new Reporter(groups.flatMap(({ files }) => files))
  const known = readTimes()
  let ok = true
  for (const { name, files, variables } of groups) {
    if (groups.length > 1) console.log(`\n${name}:`)
    const all = environment({ TEST_TEMPLATES: folder, ...env, ...variables(folder) })
    ok = await runFiles(longestFirst(files, known), { reporter, env: all, signal }) && ok
  }
  reporter.end()
  noteTimes(new Map([...known, ...reporter.times]))
  rmSync(folder, { recursive: true, force: true })
  forget()
  return conclude(reporter) || (ok ? 0 : 1)
}

/** Runs each file of `test/soak/` in a process of its own, and the others in a few processes that they share. */
async function runFiles(files: readonly string[], { reporter, env, signal }: {
  readonly reporter: Reporter
  readonly env: NodeJS.ProcessEnv
  readonly signal: AbortSignal
}): Promise<boolean> {
  const waiting = files.values()
  const work = async (): Promise<boolean> => {
    let shared: TestProcess | undefined
    let ok = true
    for (const file of waiting) {
      if (signal.aborted) break
      shared ??= new TestProcess(reporter, { env, limit: limitMs, signal })
      await shared.run(file)
      if (shared.isRunning && !isSoak(file)) continue
      ok = await shared.end() && ok
      shared = undefined
    }
    return await shared?.end() !== false && ok
  }
  return (await Promise.all(Array.from({ length: jobs }, work))).every(Boolean)
}

/** Returns the environment of test files. What they run does not choose stages again. */
function environment(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { SOAK: _, ...given } = process.env
  const compiled = resolve(".cache/compiled")
  return { ...given, ...filterEnvironment(), ...more, NODE_COMPILE_CACHE: compiled }
}

/** Says what a filter left. Returns the exit code. */
function conclude({ totals: { passed, failed } }: Reporter): number {
  if (testFilter) console.log(`ran only the tests with "${testFilter}" in their names`)
  const noneFound = testFilter !== undefined && passed + failed === 0
  if (noneFound) console.error("there are none in these files")
  return failed > 0 || noneFound ? 1 : 0
}

function stopOnSignals(): AbortSignal {
  const stopping = new AbortController()
  for (const [signal, code] of Object.entries(exitCodes)) {
    process.on(signal, () => {
      // A second signal ends the process at once; its server ends with it.
      if (stopping.signal.aborted) process.exit(code)
      stopping.abort(code)
    })
  }
  return stopping.signal
}

const signal = stopOnSignals()
try {
  process.exitCode = await main(signal)
} catch (error) {
  process.exitCode = 1
  if (!signal.aborted) console.error(error instanceof Error ? error.message : error)
}
if (signal.aborted) process.exitCode = signal.reason
// A container image that is still being pulled would delay the end.
setTimeout(() => process.exit(), 10_000).unref()
