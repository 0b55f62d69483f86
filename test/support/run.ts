// Runs the tests: starts a MySQL server for them, hands its URL on in TEST_MYSQL_URL, reports, and
// exits non-zero unless all passed. Arguments are test files or folders of them; without any, all run.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { globSync, statSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join, relative } from "node:path"
import process from "node:process"
import { startMysql } from "./mysql-server.ts"
import Reporter from "./reporter.ts"

const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }

async function main(signal: AbortSignal): Promise<number> {
  const [, , ...given] = process.argv
  const files = (given.length > 0 ? given : ["test"]).flatMap(testFiles)
  const mysql = await startMysql(signal)
  if (mysql === undefined) return 1
  try {
    return await runTests(files, { TEST_MYSQL_URL: mysql.url }, signal)
  } finally {
    await mysql.stop()
  }
}

function testFiles(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw new Error(`No such test file: ${path}`)
  if (!found.isDirectory()) return [relative("", path)]
  const inside = globSync("**/*.test.ts", {
    cwd: path,
    exclude: ["bench/**", "**/node_modules/**"],
  })
  return inside.map((file) => relative("", join(path, file))).sort()
}

async function runTests(
  files: readonly string[],
  extraEnv: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<number> {
  const reporter = new Reporter(files)
  const tap = ["node_modules/.bin/tap", "run", "--reporter=tap", `--jobs=${availableParallelism()}`]
  const runner = spawn(process.execPath, [...tap, ...files], {
    env: { ...process.env, ...extraEnv },
    stdio: ["ignore", "pipe", "inherit"],
    // A process group of its own, to end the test files with it: the runner leaves them behind.
    detached: true,
  })
  const killNow = (): void => endGroup(runner.pid, "SIGKILL")
  process.on("exit", killNow)
  signal.addEventListener("abort", () => {
    endGroup(runner.pid, "SIGTERM")
    setTimeout(killNow, 5_000).unref()
  })
  reporter.pipe(process.stdout)
  runner.stdout.pipe(reporter)
  const [[code]] = await Promise.all([once(runner, "close"), once(reporter, "end")])
  process.off("exit", killNow)
  return code !== 0 || reporter.totals.failed > 0 ? 1 : 0
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
      // Asked twice: end at once. A server started here goes with this process.
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
// A container that is still being pulled would hold up the end.
setTimeout(() => process.exit(), 10_000).unref()
