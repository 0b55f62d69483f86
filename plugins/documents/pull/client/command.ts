import * as fs from "node:fs"
import * as http from "node:http"
import { dirname, join, resolve } from "node:path"
import process from "node:process"
import type { DatabaseSync } from "node:sqlite"
import { Client, type Result } from "./client.ts"
import { Copy, loadSqlite } from "./copy.ts"
import { defaults } from "./defaults.ts"
import { exitCodes, PullError, TemporaryError } from "./errors.ts"
import { writeFiles } from "./files.ts"
import { help } from "./help.ts"
import { listen } from "./pings.ts"
import { closeToOthers } from "./private-files.ts"
import { printSummary, report } from "./report.ts"
import { type PullSettings, readSettings, wrongOption } from "./settings.ts"
import { sleep } from "./sleep.ts"
import { stateOf } from "./state.ts"
import { sync } from "./sync.ts"

/** Runs the command. Returns its exit code. */
export async function main(args: readonly string[], environment = process.env): Promise<number> {
  const stop = new AbortController()
  const end = () => stop.abort(new PullError(exitCodes.temporary, "stopped"))
  process.once("SIGINT", end)
  process.once("SIGTERM", end)
  const open: { close(): void }[] = []
  try {
    const isAsked = args.find((name) => name === "--help" || name === "--version")
    if (isAsked) {
      process.stdout.write(isAsked === "--help" ? help : `${defaults.version}\n`)
      return exitCodes.ok
    }
    http.setGlobalProxyFromEnv?.(environment)
    const settings = { ...readSettings(args, environment), signal: stop.signal }
    const Database = await loadSqlite()
    const file = placeOf(settings)
    open.unshift(takeLock(new Database(`${file}.lock`)))
    // SQLite would create it with the default mode.
    fs.closeSync(fs.openSync(file, "a", 0o600))
    closeToOthers(file)
    const copy = new Copy(new Database(file))
    open.unshift(copy)
    const family = settings.family || await findFamily(settings, copy)
    return await runUntilStopped({ ...settings, family }, copy)
  } catch (error) {
    return report(error, args.includes("--json"))
  } finally {
    end()
    for (const each of open) each.close()
    process.off("SIGINT", end)
    process.off("SIGTERM", end)
  }
}

/** Returns the file of the database. Creates the folder for a copy in files, but not its parent. */
function placeOf({ format, place }: PullSettings): string {
  const parent = format === "sqlite" ? dirname(place) : dirname(resolve(place))
  if (!fs.existsSync(parent)) {
    throw wrongOption(`--to is in a folder that does not exist: ${parent}`)
  }
  if (format === "sqlite") return place
  fs.mkdirSync(place, { recursive: true, mode: 0o700 })
  return join(place, "pull.db")
}

/**
 * Takes a lock that the operating system releases when the process ends, whatever ends it.
 * @throws {PullError} if another process has it.
 */
function takeLock(lock: DatabaseSync): DatabaseSync {
  try {
    lock.exec("pragma busy_timeout = 0; begin exclusive")
    return lock
  } catch (error) {
    lock.close()
    if (!/locked|busy/i.test(String(error))) throw error
    throw new PullError(exitCodes.locked, "another run is under way")
  }
}

/** Returns the family of the copy, or the only one of the account. */
async function findFamily(settings: PullSettings, copy: Copy): Promise<string> {
  const { source } = copy.state() ?? { source: "" }
  if (source !== "") return new URL(source).pathname
  const client = new Client(settings, stateOf(settings))
  const parse = ({ body }: Result) => (body as { families: string[] }).families
  const families = await client.read("/session", parse)
  if (families?.length === 1) return String(families[0])
  throw wrongOption(`--family must be the path of your family: ${families?.join(", or ")}`)
}

async function runUntilStopped(settings: PullSettings, copy: Copy): Promise<number> {
  const { every, listens, signal } = settings
  let ping = new AbortController()
  await listen(settings, () => ping.abort())
  for (let run = 1;; run++) {
    const began = performance.now()
    // A ping during the run may concern something that the run has already read.
    ping = new AbortController()
    let [code, pause, least] = [exitCodes.ok, every ?? 0, 0]
    try {
      // Of several runs, the first starts at once; later ones may wait until something changes.
      const wait = every === undefined || run === 1 || listens ? undefined : Math.min(every, 50)
      await runOnce({ ...settings, wait, check: run === 1 ? settings.check : undefined }, copy, run)
    } catch (error) {
      if (signal.aborted && every !== undefined) return exitCodes.ok
      code = report(error, settings.json, copy)
      if (error instanceof TemporaryError) least = error.after ?? 0
    }
    if (every === undefined || code === exitCodes.configuration) return code
    if (code === exitCodes.ok && copy.state()?.waits) pause = 1
    try {
      least = Math.max(least, 1 - (performance.now() - began) / 1000)
      await sleep(least, signal)
      await sleep(pause - least, AbortSignal.any([signal, ping.signal]))
    } catch {
      if (signal.aborted) return exitCodes.ok
    }
  }
}

/** Polls once, and prints a line about it. */
async function runOnce(settings: PullSettings, copy: Copy, run: number): Promise<void> {
  copy.changed = copy.removed = copy.requests = 0
  const sentence = () =>
    `${copy.changed} changed, ${copy.removed} removed, ${copy.requests} requests`
  const show = (text: string) => process.stderr.isTTY && process.stderr.write(text)
  const onRequest = () => {
    copy.requests++
    show(`\r${sentence()} …\x1b[K`)
  }
  try {
    const compared = (event: string, category: string) => copy.compared(event, category)
    const options = { ...settings, state: copy.state(), copy: compared, onRequest }
    for await (const change of sync(options)) copy.apply(change)
  } finally {
    copy.rollback()
    const state = copy.state()
    if (state && settings.format !== "sqlite") writeFiles(settings, copy, state)
    show("\r\x1b[K")
  }
  const isNews = run === 1 || copy.changed > 0 || copy.removed > 0
  if (settings.json) printSummary(exitCodes.ok, copy)
  else if (isNews) process.stdout.write(`${copy.count()} records: ${sentence()}\n`)
}
