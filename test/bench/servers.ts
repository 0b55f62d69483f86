import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative, resolve } from "node:path"
import process from "node:process"
import { setTimeout as sleep } from "node:timers/promises"
import { parseDocument } from "yaml"
import { atExit } from "../support/at-exit.ts"

/** A server to measure: the service, with or without page cache, here, by a family with a filter, or in another checkout; a rival. */
export type ServerName =
  | "ours"
  | "uncached"
  | "former"
  | "former-uncached"
  | "filtered"
  | "filtered-uncached"
  | "peer"
  | "floor"

/** A server in its own process, on a free loopback port. */
export interface BenchServer {
  readonly url: string
  stop(): Promise<void>
}

/** The settings of a server. */
export interface ServerOptions {
  readonly databaseUrl: string
  readonly secret: string
  /** The folder of the other checkout. */
  readonly against?: string | undefined
  /** The capabilities of the service here, if not those of the default configuration. */
  readonly capabilities?: readonly string[] | undefined
  /** The port that several processes of the service listen on; 0 lets the first one pick it. */
  readonly sharedPort?: number
  /** How many requests may wait for something new, if not as many as usual. */
  readonly waiting?: number
}

const rivals = { peer: "test/bench/rivals/peer.ts", floor: "test/bench/rivals/floor.ts" }
const configFile = "config/event-export.yaml"
const filteredFamily = "test/bench/filtered.ts"
const pollMs = 2

/** Starts a server and waits until it serves. @throws {Error} with its log if it ends instead. */
export async function startServer(name: ServerName, options: ServerOptions): Promise<BenchServer> {
  const folder = mkdtempSync(join(tmpdir(), "event-export-bench-"))
  const root = name.startsWith("former") ? options.against ?? "." : "."
  const program = name === "peer" || name === "floor"
    ? [rivals[name]]
    : ["core/main.js", "serve", "--config", writeConfig(folder, name, { ...options, root })]
  // The log goes to a file: reading it from a pipe would compete with the load.
  const log = join(folder, "log")
  const file = openSync(log, "w")
  const child = spawn(process.execPath, program, {
    cwd: root,
    env: {
      ...process.env,
      DATABASE_URL: options.databaseUrl,
      SESSION_SECRET: options.secret,
      PEER_SECRET: options.secret,
      HOST: "127.0.0.1",
      PORT: String(options.sharedPort ?? 0),
    },
    stdio: ["ignore", file, file],
  })
  const killNow = () => {
    child.kill("SIGKILL")
    rmSync(folder, { recursive: true, force: true })
  }
  const forget = atExit(killNow)
  const stop = async () => {
    if (isRunning(child)) {
      child.kill("SIGTERM")
      await once(child, "exit")
    }
    forget()
    for (const line of errorsIn(log)) console.error(`bench: ${name} logged: ${line}`)
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    return { url: await urlIn(log, child), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Writes the default configuration, with limits that no load reaches. */
function writeConfig(
  folder: string,
  name: ServerName,
  { root, sharedPort, capabilities, waiting }: ServerOptions & { readonly root: string },
): string {
  const config = parseDocument(readFileSync(join(root, configFile), "utf8"))
  const limits = { burst: 1_000_000, quota: 1_000_000_000, concurrent: 1000 }
  config.set("limits", limits)
  if (waiting !== undefined) {
    // Half of them may wait, and of these one account has a fifth.
    config.setIn(["server", "connections"], 10 * waiting)
  }
  config.setIn(["admin", "port"], 0)
  if (sharedPort !== undefined) config.setIn(["server", "reuse_port"], true)
  config.delete("demonstration")
  if (capabilities && root === ".") config.set("capabilities", capabilities)
  if (root === ".") config.addIn(["plugins"], { use: relative(folder, resolve(filteredFamily)) })
  // Another checkout may have fewer caches.
  const caches = Object.keys(config.toJS().cache)
  if (name.endsWith("uncached")) { for (const cache of caches) config.setIn(["cache", cache], 0) }
  const file = join(folder, "config.yaml")
  writeFileSync(file, String(config))
  return file
}

async function urlIn(log: string, child: ChildProcess): Promise<string> {
  while (true) {
    const text = readFileSync(log, "utf8")
    const serving = text.split("\n").find((line) => line.includes('"msg":"serving"'))
    if (serving) return JSON.parse(serving).url
    if (!isRunning(child)) throw new Error(`A server did not start: ${text}`)
    await sleep(pollMs)
  }
}

const linesShown = 3

/** Returns the last errors in a server's log; of ours, warnings too. */
function errorsIn(log: string): string[] {
  const lines = readFileSync(log, "utf8").split("\n")
  return lines.filter((line) => line && !/"level":[123]0,|"msg":"serving"/.test(line)).slice(
    -linesShown,
  )
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}
