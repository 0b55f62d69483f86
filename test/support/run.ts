// Runs the tests: starts a MySQL server, sets TEST_MYSQL_URL to its URL, prints a report, and exits
// non-zero unless all tests passed. Arguments are test files or folders; without any, all tests run.
// TEST runs only the tests with that text in their names. QUICK starts no MySQL, and leaves out the
// files that are marked as slow.
import "./clean-environment.ts"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import { atExit } from "./at-exit.ts"
import { startMysql } from "./mysql-server.ts"
import Reporter from "./reporter.ts"
import { findTestFiles, isSlow } from "./test-files.ts"
import { filterEnvironment, testFilter } from "./test-filter.ts"
import { end, endGroup, runTestProcess, withoutHooks } from "./test-process.ts"

/** More than there are cores, because many tests wait for a clock or for MySQL. */
const jobs = availableParallelism() + 3

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
    return await runEach(files, { env, signal })
  } finally {
    await mysql.stop()
    rmSync(templates, { recursive: true, force: true })
    forget()
  }
}

/** Runs files in a process each. */
async function runEach(
  files: readonly string[],
  { env, signal }: { readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal },
): Promise<number> {
  const reporter = new Reporter(files)
  reporter.pipe(process.stdout)
  const waiting = files.values()
  const work = async (): Promise<void> => {
    for (const file of waiting) {
      if (signal.aborted) return
      const { parser, close } = reporter.open(file)
      close(await runTestProcess(file, parser, { env, limit: limitMs, signal }))
    }
  }
  await Promise.all(Array.from({ length: jobs }, work))
  reporter.end()
  await once(reporter, "end")
  return conclude(reporter)
}

/** Runs the files that are not slow in one process. */
async function runQuickly(files: readonly string[], signal: AbortSignal): Promise<number> {
  const quick = files.filter((file) => !isSlow(file))
  const reporter = new Reporter(quick)
  const program = join(import.meta.dirname, "run-in-one-process.ts")
  const runner = spawn(process.execPath, [withoutHooks, program], {
    // Without its own limit, tap ends a process after half a minute.
    env: environment({
      TEST_FILES: quick.join("\n"),
      TAP: "1",
      TAP_TIMEOUT: String(limitMs / 1000),
    }),
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  })
  const forget = atExit(() => endGroup(runner, "SIGKILL"))
  signal.addEventListener("abort", () => end(runner, "SIGTERM"))
  reporter.pipe(process.stdout)
  runner.stdout.pipe(reporter)
  const [[code]] = await Promise.all([once(runner, "close"), once(reporter, "end")])
  forget()
  const leftOut = files.length - quick.length
  console.log(
    `left out as slow: ${leftOut} of ${files.length} files, and the tests that are skipped`,
  )
  return conclude(reporter) || (code === 0 ? 0 : 1)
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
