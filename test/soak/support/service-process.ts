import { readFileSync } from "node:fs"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import process from "node:process"
import { createInterface } from "node:readline"
import type { Test } from "tap"
import {
  type App,
  appOf,
  configFile,
  frugal,
  generousSettings,
  type Prepare,
  secret,
} from "../../support/app.ts"
import { Builder } from "../../support/builder.ts"
import { configFolder } from "../../support/config-folder.ts"
import { copiedUrl, openFor } from "../../support/database.ts"
import { commandOf, type Runtime } from "../../support/runtimes.ts"
import { scanner } from "../../support/scanned-log.ts"

/** Starts the service in a separate process, under Node or Deno, on the embedded database. */
export async function processApp(
  t: Test,
  runtime: Runtime,
  prepare: Prepare = () => Promise.resolve(),
  environment: Readonly<Record<string, string>> = {},
): Promise<
  App & {
    url: string
    child: ChildProcess
    databaseUrl: string
    entry: Record<string, unknown>
    entries: LogEntries
  }
> {
  const databaseUrl = await copiedUrl(t, "sqlite")
  const database = await openFor(t, databaseUrl)
  await prepare(new Builder(database))
  const { url, child, entry, entries } = await startProcess(t, runtime, {
    DATABASE_URL: databaseUrl,
    SESSION_SECRET: secret,
    PORT: "0",
    CONFIG: generousConfig(t),
    ...environment,
  })
  const app = appOf(
    database,
    [],
    (path, init) => fetch(url + path, { redirect: "manual", ...init }),
  )
  return { ...app, url, child, databaseUrl, entry, entries }
}

/** Writes the default configuration with generous limits to a file, and returns its path. */
function generousConfig(t: Test): string {
  const text = Object.entries(generousSettings).reduce(
    (text, [name, value]) =>
      text.replace(new RegExp(`^  ${name}: \\d+$`, "m"), `  ${name}: ${value}`),
    readFileSync(configFile, "utf8").replace(
      /^accounts: \{\}$/m,
      `accounts: ${JSON.stringify({ frugal })}`,
    ),
  )
  return configFolder(t).write(text)
}

/** Starts `serve` with flags in a process, on Deno with options, and waits until it serves. */
export async function startProcess(
  t: Test,
  runtime: Runtime,
  environment: Record<string, string>,
  flags: readonly string[] = [],
  options?: readonly string[],
): Promise<
  { url: string; child: ChildProcess; entry: Record<string, unknown>; entries: LogEntries }
> {
  const [command, ...args] = commandOf(runtime, options)
  const child = spawn(command, [...args, "core/main.js", "serve", ...flags], {
    env: { ...process.env, ADMIN_PORT: "0", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  })
  t.teardown(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill("SIGTERM")
    await once(child, "exit")
  })
  let errors = ""
  child.stderr.on("data", (chunk) => errors += chunk)
  const scan = scanner(t)
  child.stdout.on("data", (chunk) => scan(String(chunk)))
  const entries: LogEntries = []
  const entry = await new Promise<LogEntries[number]>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const entry = line.startsWith("{") ? JSON.parse(line) : {}
      entries.push(entry)
      if (entry.msg === "serving") resolve(entry)
    })
    child.once("close", () => reject(new Error(`${runtime} did not serve: ${errors}`)))
  })
  return { url: String(entry["url"]), child, entry, entries }
}

/** The log entries of a process. The array grows while the process runs. */
export type LogEntries = Record<string, unknown>[]
