// Runs the tests: starts a MySQL server, sets TEST_MYSQL_URL to its URL, prints a report, and exits
// non-zero unless all tests passed. Arguments are test files or folders; without any, all tests run.
// TEST runs only the tests with that text in their names. QUICK starts no MySQL, and leaves out the
// files that are marked as slow.
import "./clean-environment.ts"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { availableParallelism } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import { pathToFileURL } from "node:url"
import { atExit } from "./at-exit.ts"
import { startMysql } from "./mysql-server.ts"
import Reporter from "./reporter.ts"
import { findTestFiles, isSlow } from "./test-files.ts"
import { filterEnvironment, testFilter } from "./test-filter.ts"

/** More than there are cores, because many tests wait for a clock or for MySQL. */
const jobs = availableParallelism() + 2

const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }

async function main(signal: AbortSignal): Promise<number> {
  const [, , ...given] = process.argv
  const files = findTestFiles(given.length > 0 ? given : ["test"])
  if (process.env["QUICK"]) return await runQuickly(files, signal)
  const mysql = await startMysql(signal)
  if (mysql === undefined) return 1
  try {
    return await runTests(files, { inOne: false, env: { TEST_MYSQL_URL: mysql.url }, signal })
  } finally {
    await mysql.stop()
  }
}

async function runQuickly(files: readonly string[], signal: AbortSignal): Promise<number> {
  const quick = files.filter((file) => !isSlow(file))
  const code = await runTests(quick, { inOne: true, env: {}, signal })
  const leftOut = files.length - quick.length
  console.log(
    `left out as slow: ${leftOut} of ${files.length} files, and the tests that are skipped`,
  )
  return code
}

async function runTests(
  files: readonly string[],
  { inOne, env, signal }: {
    /** True to run all files in one process. */
    readonly inOne: boolean
    readonly env: Readonly<Record<string, string>>
    readonly signal: AbortSignal
  },
): Promise<number> {
  const reporter = new Reporter(files, { inOne })
  const withoutHooks = `--import=${pathToFileURL(join(import.meta.dirname, "without-hooks.ts"))}`
  const program = inOne ? [withoutHooks, join(import.meta.dirname, "run-in-one-process.ts")] : [
    "node_modules/.bin/tap",
    "run",
    "--reporter=tap",
    `--jobs=${jobs}`,
    `--node-arg=${withoutHooks}`,
    ...files,
  ]
  const runner = spawn(process.execPath, program, {
    env: {
      ...process.env,
      ...filterEnvironment(),
      ...env,
      // Without its runner, tap ends a process after half a minute.
      ...inOne && { TEST_FILES: files.join("\n"), TAP_TIMEOUT: "600" },
      NODE_COMPILE_CACHE: resolve(".cache/compiled"),
    },
    stdio: ["ignore", "pipe", "inherit"],
    // Starts a process group, to end the test files too: the runner leaves them behind.
    detached: true,
  })
  const killNow = (): void => endGroup(runner.pid, "SIGKILL")
  const forget = atExit(killNow)
  signal.addEventListener("abort", () => {
    endGroup(runner.pid, "SIGTERM")
    setTimeout(killNow, 5_000).unref()
  })
  reporter.pipe(process.stdout)
  runner.stdout.pipe(reporter)
  const [[code]] = await Promise.all([once(runner, "close"), once(reporter, "end")])
  forget()
  const { passed, failed } = reporter.totals
  if (testFilter) console.log(`ran only the tests with "${testFilter}" in their names`)
  const noneFound = testFilter !== undefined && passed + failed === 0
  if (noneFound) console.error("there are none in these files")
  return code !== 0 || failed > 0 || noneFound ? 1 : 0
}

function endGroup(leader: number | undefined, ending: NodeJS.Signals): void {
  try {
    if (leader !== undefined) process.kill(-leader, ending)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error
  }
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
