import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import process from "node:process"
import { setTimeout as sleep } from "node:timers/promises"
import { type Sample, samplesOf } from "../../support/samples.ts"
import { spawnBound } from "../../support/spawn-bound.ts"
import { type ConfigurationFile, mistakes, writeConfiguration } from "./configuration.ts"
import type { Observations } from "./observations.ts"
import type { ServiceLog } from "./service-log.ts"

/** Milliseconds in which a process has to start or to end. Only a hang takes so long. */
const patience = 60_000

/** Without NODE_OPTIONS, by which tap loads its own code: that makes more signals end the process. */
const node = ["/usr/bin/env", "-u", "NODE_OPTIONS", process.execPath] as const

/** A service in a process of its own, which a test may kill, end, freeze and start again. */
export class ServiceProcess {
  readonly name: string
  readonly log: ServiceLog
  readonly #configuration: ConfigurationFile
  readonly #observations: Observations
  #child: ChildProcess | undefined
  #lives = 0
  #mayEnd = true
  #isServing = false

  constructor(
    name: string,
    { configuration, log, observations }: {
      readonly configuration: ConfigurationFile
      readonly log: ServiceLog
      readonly observations: Observations
    },
  ) {
    this.name = name
    this.log = log
    this.#configuration = configuration
    this.#observations = observations
  }

  get url(): string {
    return `http://127.0.0.1:${this.#configuration.port}`
  }

  /** True from when it takes requests until it is killed or asked to end. */
  get isServing(): boolean {
    return this.#isServing
  }

  /** Names the process that runs now, among those that were started one after the other. */
  get life(): string {
    return `${this.name}, life ${this.#lives}`
  }

  /**
   * Starts the service, again or for the first time, from this checkout or an installed `program`. Resolves when it
   * takes requests.
   */
  async start(program = "core/main.js"): Promise<void> {
    writeConfiguration(this.#configuration)
    this.#lives++
    this.#mayEnd = false
    const child = await spawnBound([
      ...node,
      program,
      "serve",
      "--config",
      this.#configuration.file,
    ], ["ignore", "pipe", "pipe"])
    this.#child = child
    child.stdout?.setEncoding("utf8").on("data", this.log.read)
    child.stderr?.setEncoding("utf8").on("data", this.log.readError)
    child.once("exit", (code, signal) => {
      if (!this.#mayEnd) {
        this.#observations.violate(`${this.name} ended by itself: ${signal ?? code}`)
      }
    })
    const deadline = performance.now() + patience
    while (!await this.#isLive()) {
      if (child.exitCode !== null || performance.now() > deadline) {
        throw new Error(`${this.name} did not start`)
      }
      await sleep(50)
    }
    this.#isServing = true
  }

  /** Kills the process. What waits in its memory is lost. */
  async kill(): Promise<void> {
    this.#observations.killedLives.add(this.life)
    await this.#end("SIGKILL")
  }

  /** Asks the process to end. */
  async stop(): Promise<void> {
    const code = await this.#end("SIGTERM")
    if (code !== 0) this.#observations.violate(`${this.name} ended with ${code} on SIGTERM`)
  }

  /** Lets nobody read what it prints: the pipe is soon full. */
  blockOutput(): void {
    this.#child?.stdout?.pause()
  }

  freeOutput(): void {
    this.#child?.stdout?.resume()
  }

  /** Stops the process from running at all, until `thaw`. */
  freeze(): void {
    this.#child?.kill("SIGSTOP")
  }

  thaw(): void {
    this.#child?.kill("SIGCONT")
  }

  /** Writes the configuration, with a mistake if a number is given, and asks for a reload. */
  reload(mistake?: number): void {
    writeConfiguration(this.#configuration, mistakes[mistake ?? -1])
    this.#child?.kill("SIGHUP")
  }

  /** Reads the metrics. */
  async metrics(): Promise<Sample[]> {
    const response = await fetch(`http://127.0.0.1:${this.#configuration.adminPort}/metrics`, {
      signal: AbortSignal.timeout(patience),
    })
    return samplesOf(await response.text())
  }

  async #end(signal: "SIGTERM" | "SIGKILL"): Promise<number | null> {
    const child = this.#child
    this.#mayEnd = true
    this.#isServing = false
    if (!child || child.exitCode !== null || child.signalCode !== null) return null
    // "close" comes when everything that it printed has been read.
    const closed = once(child, "close")
    child.kill(signal)
    const timer = setTimeout(() => {
      this.#observations.violate(`${this.name} did not end on ${signal}`)
      child.kill("SIGKILL")
    }, patience)
    const [code] = await closed
    clearTimeout(timer)
    return code
  }

  async #isLive(): Promise<boolean> {
    try {
      const response = await fetch(`${this.url}/livez`, { signal: AbortSignal.timeout(5000) })
      await response.body?.cancel()
      return response.status === 200
    } catch {
      return false
    }
  }
}
