import { spawn } from "node:child_process"
import { once } from "node:events"
import process from "node:process"
import { text } from "node:stream/consumers"

/** What to send: GET requests, as fast as the answers come. */
export interface Load {
  readonly url: string
  /** Taken in turns, over and over. */
  readonly paths: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  /** Of the connections, in turn, instead of one in `headers`. */
  readonly cookies?: readonly string[]
  readonly connections: number
  /** How long; longer, where by then there were fewer answers than connections. */
  readonly seconds: number
}

export interface LoadResult {
  readonly answers: number
  /** Answers a second. */
  readonly rate: number
  /** How many answers had each status. */
  readonly statuses: Readonly<Record<string, number>>
  /** Why connections broke, or requests had no answer. */
  readonly failures: readonly string[]
  /** Milliseconds. */
  readonly latency: { readonly median: number; readonly p99: number }
}

/** Sends a load from a process of its own. @throws {Error} unless every answer had this status. */
export async function sendLoad(load: Load, status: number): Promise<LoadResult> {
  const generator = spawn(process.execPath, ["test/bench/generator.ts"], {
    stdio: ["pipe", "pipe", "inherit"],
  })
  const killNow = () => generator.kill("SIGKILL")
  process.once("exit", killNow)
  generator.stdin.end(JSON.stringify(load))
  const [output] = await Promise.all([text(generator.stdout), once(generator, "exit")])
  process.off("exit", killNow)
  const result: LoadResult = JSON.parse(output)
  const { answers, statuses, failures } = result
  if (failures.length > 0 || answers === 0 || statuses[status] !== answers) {
    throw new Error(
      `${load.url}${load.paths[0]}: not every answer was ${status}: ` +
        `${JSON.stringify(statuses)} ${failures.join(", ")}. What was measured does not count.`,
    )
  }
  return result
}
