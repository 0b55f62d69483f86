import { AsyncLocalStorage } from "node:async_hooks"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { setTimeout } from "node:timers/promises"
import type { Test } from "tap"
import { main } from "../../../plugins/documents/pull/pull.ts"
import { password } from "../builder.ts"

/** What a run writes. */
class Written {
  output = ""
  errors = ""

  /** The lines about runs that `--json` writes. */
  get runs(): readonly Summary[] {
    return this.output.split("\n").filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line))
  }

  /** Waits for a number of lines about runs. */
  async until(count: number): Promise<void> {
    while (this.runs.length < count) await setTimeout(5)
  }
}

/** A line of `--json` about a run. */
interface Summary {
  readonly exitCode: number
  readonly records: number
  readonly changed: number
  readonly removed: number
  readonly requests: number
  readonly error?: string
}

const running = new AsyncLocalStorage<Written>()

for (const [stream, name] of [[process.stdout, "output"], [process.stderr, "errors"]] as const) {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean
  stream.write = (...args: unknown[]) => {
    const written = running.getStore()
    if (!written) return write(...args)
    written[name] += args[0]
    return true
  }
}

/** The command of the client, in this process, with a copy of its own. */
export class PullCommand {
  readonly folder = mkdtempSync(join(tmpdir(), "event-export-"))
  readonly #base: string

  constructor(t: Test, base: string) {
    this.#base = base
    t.teardown(() => rmSync(this.folder, { recursive: true, force: true }))
  }

  /**
   * Starts a run, whose options come after the usual ones. `ended` is its exit code. `end` tells all runs in this process
   * to end, unless this one has ended.
   */
  start(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    const written = new Written()
    const usual = ["--to", `sqlite:${this.folder}/copy.db`, "--base", this.#base]
    const credentials = { EXPORT_USER: "acme-export", EXPORT_PASSWORD: password, ...environment }
    const ended = running.run(written, () => main([...usual, ...args], credentials))
    let isOver = false
    void ended.then(() => isOver = true)
    const end = () => {
      if (!isOver) process.emit("SIGTERM")
      return ended
    }
    return { written, ended, end }
  }

  /** Runs it to its end. */
  async run(args: readonly string[] = [], environment: Readonly<Record<string, string>> = {}) {
    const { written, ended } = this.start(["--family", "/acme/v1", ...args], environment)
    const code = await ended
    const { output, errors, runs } = written
    return { code, output, errors, runs }
  }
}
