import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import process from "node:process"
import { pathToFileURL } from "node:url"
import type { Parser } from "tap-parser"
import { atExit } from "./at-exit.ts"
import type { Times } from "./times.ts"

/** The argument of Node that a process of tests needs. */
export const preload = `--import=${pathToFileURL(join(import.meta.dirname, "preload.ts"))}`

/** How the process of a test file ended. */
export type ProcessEnd = {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  /** Without processor time if a signal ended it. */
  readonly times: Times
}

/** `limit` is in milliseconds. */
export type ProcessOptions = Pick<SpawnOptions, "cwd" | "env"> & {
  readonly limit: number
  readonly signal: AbortSignal
  /** What the process prints as errors: by default, passed on. */
  readonly stderr?: "inherit" | "ignore"
}

/**
 * Runs a test file in a process and a process group of its own, and writes its TAP to `parser`. Ends the process group
 * at the limit, or at the one that the file asks for, and when `signal` aborts.
 */
export async function runTestProcess(
  file: string,
  parser: Parser,
  { limit, signal, env, stderr = "inherit", ...place }: ProcessOptions,
): Promise<ProcessEnd> {
  const began = performance.now()
  const child = spawn(process.execPath, [preload, file], {
    ...place,
    env: { ...env, TAP: "1", TAP_TIMEOUT: String(limit / 1000) },
    // Through the channel, tap tells the time limit that a file asks for, and the process its processor time.
    stdio: ["ignore", "pipe", stderr, "ipc"],
    detached: true,
  })
  const forget = atExit(() => endGroup(child, "SIGKILL"))
  let timer = setTimeout(() => end(child, "SIGALRM"), limit)
  let cpu = 0
  child.on("message", (message: { setTimeout?: number; cpu?: number }) => {
    cpu = message.cpu ?? cpu
    if (message.setTimeout === undefined) return
    clearTimeout(timer)
    timer = setTimeout(() => end(child, "SIGALRM"), message.setTimeout)
  })
  const stop = (): void => end(child, "SIGTERM")
  signal.addEventListener("abort", stop)
  child.stdout?.pipe(parser)
  const [exitCode, endedBy] = await once(child, "close")
  clearTimeout(timer)
  signal.removeEventListener("abort", stop)
  forget()
  return { exitCode, signal: endedBy, times: { wall: performance.now() - began, cpu } }
}

/** Ends a process group: as asked, and after a few seconds at any rate. */
export function end(leader: ChildProcess, ending: NodeJS.Signals): void {
  endGroup(leader, ending)
  const timer = setTimeout(() => endGroup(leader, "SIGKILL"), 5_000)
  timer.unref()
  leader.once("close", () => clearTimeout(timer))
}

/** Sends a signal to a process group, if there is one. */
export function endGroup({ pid }: ChildProcess, ending: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, ending)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error
  }
}
