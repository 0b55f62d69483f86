import { execFile } from "node:child_process"
import process from "node:process"
import {
  Attempts,
  type Environment,
  type Log,
  type ReloadOutcome,
  type ServiceEvent,
} from "../../../core/capability.ts"

/** Milliseconds that a message may take. */
const timeLimit = 5000

/**
 * Tells systemd what the service does, as `Type=notify` wants it: sd_notify(3). Does nothing without
 * NOTIFY_SOCKET.
 *
 * Node.js has no datagram sockets of the family Unix, so the program systemd-notify sends the messages, one
 * after the other. One that cannot be sent is logged, once, and never fails or delays the service.
 */
export class ServiceManager {
  readonly #environment: Environment
  /** Says what is served; undefined until something is. */
  #describe: (() => string) | undefined
  #sending: Promise<void> | undefined
  #isStopping = false
  readonly #attempts: Attempts

  constructor(environment: Environment, log: () => Log | undefined) {
    this.#environment = environment
    this.#attempts = new Attempts(log, { failed: "cannot tell systemd: systemd-notify failed" })
    if (environment["NOTIFY_SOCKET"]) this.#sending = Promise.resolve()
  }

  /** Tells what happens. Nothing is told after the service has begun to stop. */
  tell(event: ServiceEvent): void {
    if (event.kind === "waiting for the database") this.#send("STATUS=Waits for the database")
    if (event.kind === "stopping") this.#stop(event.drain)
    // Until the service serves, READY would be too early.
    if (!this.#describe) return
    if (event.kind === "reloading") this.#send("RELOADING=1", `MONOTONIC_USEC=${microseconds()}`)
    if (event.kind === "reloaded") {
      this.#send("READY=1", `STATUS=${this.#describe()}${refusalOf(event.outcome)}`)
    }
  }

  /** Tells that the service serves a URL. `hash` returns that of the configuration in force. */
  serving(url: string, hash: () => string): void {
    this.#describe = () => `Serves ${url} with configuration ${hash()}`
    this.#send("READY=1", `STATUS=${this.#describe()}`)
  }

  #stop(drain: number): void {
    const wait = drain > 0 ? ` in ${drain} s` : ""
    this.#send("STOPPING=1", `STATUS=Stops${wait}, after the running requests`)
    this.#isStopping = true
  }

  #send(...assignments: readonly string[]): void {
    if (this.#isStopping) return
    this.#sending = this.#sending?.then(() => this.#run(assignments))
  }

  #run(assignments: readonly string[]): Promise<void> {
    const { NOTIFY_SOCKET, PATH } = this.#environment
    const { promise, resolve } = Promise.withResolvers<void>()
    const done = (error: Error | null) => {
      if (error) this.#attempts.failed(error)
      resolve()
    }
    try {
      execFile("systemd-notify", assignments, {
        env: { NOTIFY_SOCKET, PATH },
        timeout: timeLimit,
        killSignal: "SIGKILL",
      }, done)
    } catch (error) {
      // Deno, if it may not run programs.
      done(error as Error)
    }
    return promise
  }
}

/** Says what of a new configuration is wrong: its place only, because everyone may read the status. */
function refusalOf({ result, reason }: ReloadOutcome): string {
  if (result === "applied") return ""
  const place = /^(\S+:\d+:\d+): /.exec(reason ?? "")?.[1]
  const cause = place ? `see ${place} and the log` : "the log says why"
  return `. A new one was refused: ${cause}`
}

/** Returns the time of the clock that systemd means. */
function microseconds(): bigint {
  return process.hrtime.bigint() / 1000n
}
