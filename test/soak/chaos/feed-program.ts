import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { text } from "node:stream/consumers"
import { setTimeout as sleep } from "node:timers/promises"
import { Copy } from "../../support/partner/copy.ts"
import { rowOf } from "../../support/partner/rows.ts"
import type { Random } from "../../support/random.ts"

const example = "plugins/documents/docs/examples/feed.sh"

/** Why the program cannot run here; undefined if it can. */
export const withoutProgram = spawnSync("curl", ["--version"]).error &&
  "curl is not on this machine"

/** How often it is killed at least, however much longer that takes on a slow machine. */
export const leastKills = 6

/** Failed runs in a row after which it gives up. No fault takes half as long. */
const mostFailures = 300

interface ProgramOptions {
  /** Where the copy is kept. */
  readonly folder: string
  /** The URLs of all services: each run takes one of them. */
  readonly services: readonly { readonly url: string }[]
  /** The path of the feed. */
  readonly path: string
  readonly token: string
  readonly random: Random
  /** Ends it at once. */
  readonly signal: AbortSignal
}

/** A partner who runs `feed.sh` of the guide again and again, and kills half of the runs at any moment. */
export class FeedProgram {
  runs = 0
  kills = 0
  readonly #options: ProgramOptions
  readonly #files: readonly string[]
  #isEnding = false
  #running: Promise<void> | undefined

  constructor(options: ProgramOptions) {
    this.#options = options
    const { folder, services, path } = options
    mkdirSync(folder, { recursive: true })
    const source = readFileSync(example, "utf8")
      // Several pages per run.
      .replace("?after=", "?limit=50&after=")
      .replace("--retry 5", "--retry 1")
    this.#files = services.map(({ url }, index) => {
      const file = join(folder, `feed-${index}.sh`)
      writeFileSync(file, source.replace(/FEED='[^']*'/, `FEED='${url}${path}'`))
      return file
    })
  }

  /** Returns its copy. */
  copy(): Copy {
    const copy = new Copy()
    const lines = readFileSync(join(this.#options.folder, "copy.ndjson"), "utf8").split("\n")
    for (const line of lines.filter((line) => line.startsWith('{"list"'))) {
      const { list, category, record } = JSON.parse(line)
      copy.put(rowOf({ category, ...record }, list))
    }
    return copy
  }

  start(): void {
    this.#running = this.#run()
    // `finish` reports it.
    this.#running.catch(() => {})
  }

  /** Lets it be killed often enough, and then lets it run once without. */
  async finish(): Promise<void> {
    this.#isEnding = true
    await this.#running
    await this.#untilDone()
  }

  async #run(): Promise<void> {
    const { random, signal } = this.#options
    while (!this.#isEnding || this.kills < leastKills) {
      if (random.below(2) === 0) await this.#untilDone()
      else await this.#killed(random.between(0, 600))
      await sleep(random.between(0, 400), undefined, { signal })
    }
  }

  /** Runs it until a run succeeds. @throws {Error} with what it has printed, if none does. */
  async #untilDone(): Promise<void> {
    for (let failures = 0;;) {
      const child = this.#start()
      const printed = text(child.stderr!)
      const [code] = await once(child, "close")
      this.runs++
      if (code === 0) return
      if (++failures === mostFailures) throw new Error(`feed.sh fails: ${await printed}`)
      await sleep(100, undefined, { signal: this.#options.signal })
    }
  }

  async #killed(milliseconds: number): Promise<void> {
    const child = this.#start()
    child.stderr?.resume()
    const closed = once(child, "close")
    await Promise.race([closed, sleep(milliseconds)])
    // With all that it has started.
    if (child.exitCode === null) process.kill(-child.pid!, "SIGKILL")
    await closed
    this.kills++
  }

  #start(): ChildProcess {
    const { folder, token, random, signal } = this.#options
    const { PATH = "" } = process.env
    const child = spawn("sh", [random.pick(this.#files)], {
      cwd: folder,
      env: { PATH, EXPORT_TOKEN: token },
      stdio: ["ignore", "ignore", "pipe"],
      detached: true,
      signal,
    })
    child.on("error", () => {})
    return child
  }
}
