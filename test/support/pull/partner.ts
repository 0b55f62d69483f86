import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { text } from "node:stream/consumers"
import { password } from "../builder.ts"

/** The outcome of a run of the client. */
export interface Outcome {
  /** The exit code; null if the run was killed. */
  readonly code: number | null
  readonly output: string
  readonly errors: string
}

/** A partner who runs the client, and keeps a copy in one format. */
export class Partner {
  readonly format: "sqlite" | "ndjson" | "csv"
  readonly place: string
  readonly #folder = mkdtempSync(join(tmpdir(), "event-export-pull-"))
  readonly #base: string | undefined
  readonly #program: readonly string[]
  readonly #env: Readonly<Record<string, string>>

  constructor(
    format: Partner["format"],
    { base, place, program = [process.execPath, "plugins/documents/pull/pull.ts"], env = {} }: {
      /** The URL of the service; undefined takes what the service filled into the program. */
      readonly base?: string | undefined
      /** Where the copy is, if another partner has begun it. */
      readonly place?: string | undefined
      /** The command and its first arguments. */
      readonly program?: readonly string[] | undefined
      /** Variables of its environment, besides credentials. */
      readonly env?: Readonly<Record<string, string>>
    },
  ) {
    this.format = format
    this.#base = base
    this.#program = program
    this.#env = env
    this.place = place ?? join(this.#folder, format === "sqlite" ? "copy.db" : "copy")
  }

  /** Runs the client to its end. */
  async run(args: readonly string[] = []): Promise<Outcome> {
    return await outcomeOf(this.start(args))
  }

  /** Runs the client, and kills it when the promise resolves, if it has not ended then. */
  async runAndKill(moment: Promise<unknown>, args: readonly string[] = []): Promise<Outcome> {
    const child = this.start(args)
    const outcome = outcomeOf(child)
    await Promise.race([moment, outcome])
    child.kill("SIGKILL")
    return await outcome
  }

  start(args: readonly string[] = []): ChildProcess {
    const [command = "", ...first] = this.#program
    const all = [...first, "--to", `${this.format}:${this.place}`, ...args]
    const isFilledIn = this.#base === undefined
    if (this.#base !== undefined) all.push("--base", this.#base)
    if (!isFilledIn && !args.includes("--family")) all.push("--family", "/acme/v1")
    const user = isFilledIn ? {} : { EXPORT_USER: "acme-export" }
    return spawn(command, all, {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...user, EXPORT_PASSWORD: password, ...this.#env },
    })
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

async function outcomeOf(child: ChildProcess): Promise<Outcome> {
  const read = (stream: ChildProcess["stdout"]) => stream ? text(stream) : Promise.resolve("")
  const [output, errors, [code]] = await Promise.all([
    read(child.stdout),
    read(child.stderr),
    once(child, "exit"),
  ])
  return { code, output, errors }
}
