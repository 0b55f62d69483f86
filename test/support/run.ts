// Runs the tests: starts a MySQL server, sets TEST_MYSQL_URL to its URL, prints a report, and exits
// non-zero unless all tests passed. Arguments are test files or folders; without any, all tests run.
// TEST runs only the tests with that text in their names. QUICK starts no MySQL, and leaves out the
// files that are marked as slow.
import "./clean-environment.ts"
import { mkdtempSync, rmSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import { atExit } from "./at-exit.ts"
import { memoryOrDisk } from "./memory.ts"
import { startMysql } from "./mysql-server.ts"
import { queuesOf } from "./queues.ts"
import { Reporter } from "./reporter.ts"
import { SharedProcess } from "./shared-process.ts"
import { findTestFiles, isCrowded, isSlow } from "./test-files.ts"
import { filterEnvironment, testFilter } from "./test-filter.ts"
import { runTestProcess } from "./test-process.ts"
import { longestFirst, noteTimes, readTimes } from "./times.ts"

/** More than there are cores, because many tests wait for a clock or for MySQL. */
const jobs = availableParallelism() + 3
/** Of quick tests, which take little memory each. */
const quickJobs = availableParallelism() + 4

/** The time limit of a file that asks for no other, in milliseconds. */
const limitMs = 600_000

const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }

async function main(signal: AbortSignal): Promise<number> {
  const [, , ...given] = process.argv
  const files = findTestFiles(given.length > 0 ? given : ["test"])
  if (process.env["QUICK"]) return await runQuickly(files, signal)
  const mysql = await startMysql(signal)
  if (mysql === undefined) return 1
  const templates = mkdtempSync(join(tmpdir(), "event-export-"))
  const forget = atExit(() => rmSync(templates, { recursive: true, force: true }))
  try {
    const env = environment({ TEST_MYSQL_URL: mysql.url, TEST_TEMPLATES: templates })
    return await runAll(files, { env, jobs, signal })
  } finally {
    await mysql.stop()
    rmSync(templates, { recursive: true, force: true })
    forget()
  }
}

/**
 * Runs slow files in a process each, and the others in a few processes that they share: to start a process takes
 * longer than many of them. Of the crowded ones, one runs at a time.
 */
async function runAll(files: readonly string[], { env, jobs, signal }: {
  readonly env: NodeJS.ProcessEnv
  readonly jobs: number
  readonly signal: AbortSignal
}): Promise<number> {
  const reporter = new Reporter(files)
  const known = readTimes()
  const options = { env, limit: limitMs, signal }
  const work = async (waiting: Iterable<string>): Promise<boolean> => {
    let shared: SharedProcess | undefined
    let ok = true
    for (const file of waiting) {
      if (signal.aborted) break
      if (isSlow(file)) {
        const { parser, close } = reporter.open(file)
        close(await runTestProcess(file, parser, options))
      } else {
        shared ??= new SharedProcess(reporter, options)
        await shared.run(file)
      }
      if (shared?.isRunning !== false) continue
      ok = await shared.end() && ok
      shared = undefined
    }
    return await shared?.end() !== false && ok
  }
  const queues = queuesOf(longestFirst(files, known), { jobs, isCrowded })
  const ok = await Promise.all(queues.map(work))
  reporter.end()
  noteTimes(new Map([...known, ...reporter.times]))
  return conclude(reporter) || (ok.every(Boolean) ? 0 : 1)
}

/** Runs the files that are not slow, with their databases in memory. */
async function runQuickly(files: readonly string[], signal: AbortSignal): Promise<number> {
  const quick = files.filter((file) => !isSlow(file))
  const folder = mkdtempSync(join(memoryOrDisk(1), "event-export-"))
  const forget = atExit(() => rmSync(folder, { recursive: true, force: true }))
  const env = environment({ TMPDIR: folder })
  const code = await runAll(quick, { env, jobs: quickJobs, signal })
  rmSync(folder, { recursive: true, force: true })
  forget()
  const leftOut = files.length - quick.length
  console.log(
    `left out as slow: ${leftOut} of ${files.length} files, and the tests that are skipped`,
  )
  return code
}

/** Returns the environment of test files. */
function environment(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const compiled = resolve(".cache/compiled")
  return { ...process.env, ...filterEnvironment(), ...more, NODE_COMPILE_CACHE: compiled }
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
