import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import process from "node:process"
import { pathToFileURL } from "node:url"
import { atExit } from "../support/at-exit.ts"
import type { Reporter } from "./reporter.ts"
import type { Times } from "./times.ts"

interface Options {
  readonly env: NodeJS.ProcessEnv
  /** The time limit of a file that asks for no other, in milliseconds. */
  readonly limit: number
  readonly signal: AbortSignal
}

/** The argument of Node that a process of tests needs. */
const preload = `--import=${pathToFileURL(join(import.meta.dirname, "preload.ts"))}`

/** The time limit of all files together, in seconds: a week. Without one, tap ends a process after half a minute. */
const noLimit = 604_800

/** A process, and a process group, that runs one test file after the other. */
export class TestProcess {
  readonly #child: ChildProcess
  readonly #reporter: Reporter
  readonly #limit: number
  readonly #ended: Promise<unknown>
  #timer: NodeJS.Timeout | undefined
  #file: string | undefined
  #isOverdue = false
  #asks = Promise.withResolvers<void>()

  constructor(reporter: Reporter, { env, limit, signal }: Options) {
    this.#reporter = reporter
    this.#limit = limit
    this.#child = spawn(process.execPath, [
      preload,
      // With the usual size, collecting garbage takes a fifth of the time.
      "--max-semi-space-size=64",
      join(import.meta.dirname, "run-in-one-process.ts"),
    ], {
      env: { ...env, TAP: "1", TAP_TIMEOUT: String(noLimit) },
      stdio: ["ignore", "pipe", "inherit", "ipc"],
      detached: true,
    })
    const forget = atExit(() => endGroup(this.#child, "SIGKILL"))
    const stop = () => end(this.#child, "SIGTERM")
    signal.addEventListener("abort", stop)
    this.#child.on("message", (message: Message) => this.#read(message))
    const parser = reporter.open()
    this.#ended = Promise.all([once(this.#child, "close"), once(parser, "complete")])
      .then(() => {
        clearTimeout(this.#timer)
        signal.removeEventListener("abort", stop)
        forget()
      })
    this.#child.stdout?.pipe(parser)
  }

  /** False if it has ended before it was asked to, or was ended at a file's time limit. */
  get isRunning(): boolean {
    return !this.#isOverdue && this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Runs a file, until its tests or the process have ended. */
  async run(file: string): Promise<void> {
    await this.#asked()
    if (!this.isRunning) return
    this.#asks = Promise.withResolvers()
    this.#file = file
    this.#limitTo(this.#limit)
    this.#send({ file })
    await this.#asked()
    clearTimeout(this.#timer)
  }

  /** Ends the process. Returns false if it has failed. */
  async end(): Promise<boolean> {
    await this.#asked()
    this.#send({})
    await this.#ended
    return this.#child.exitCode === 0
  }

  /** Does nothing if the process is about to end: its file then has no result. */
  #send(message: { readonly file?: string }): void {
    if (this.#child.connected) this.#child.send(message, () => {})
  }

  async #asked(): Promise<void> {
    await Promise.race([this.#asks.promise, this.#ended])
  }

  #read({ next, times, limit, test }: Message): void {
    if (times && this.#file) this.#reporter.times.set(this.#file, times)
    if (test !== undefined && this.#file) this.#reporter.running.set(this.#file, test)
    if (limit !== undefined) this.#limitTo(limit)
    if (next) this.#asks.resolve()
  }

  #limitTo(milliseconds: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#isOverdue = true
      end(this.#child, "SIGALRM")
    }, milliseconds)
  }
}

/**
 * What the process tells: that it waits for a file, how long the last one took, which time limit it asks for, and which
 * test begins.
 */
interface Message {
  readonly next?: true
  readonly times?: Times
  readonly limit?: number
  readonly test?: string
}

/** Ends a process group: as asked, and after a few seconds at any rate. */
function end(leader: ChildProcess, ending: NodeJS.Signals): void {
  endGroup(leader, ending)
  const timer = setTimeout(() => endGroup(leader, "SIGKILL"), 5_000)
  timer.unref()
  leader.once("close", () => clearTimeout(timer))
}

/** Sends a signal to a process group, if there is one. */
function endGroup({ pid }: ChildProcess, ending: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, ending)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error
  }
}
