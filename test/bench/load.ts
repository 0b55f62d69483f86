import { spawn } from "node:child_process"
import { once } from "node:events"
import process from "node:process"
import { text } from "node:stream/consumers"
import { atExit } from "../support/at-exit.ts"
import type { ChangeTime } from "./writer.ts"

/** GET requests to send, each connection as fast as its responses arrive. */
export interface Load {
  readonly url: string
  /** The paths to request, in turn. */
  readonly paths: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  /** The cookies of the requests, in turn, instead of one in `headers`. */
  readonly cookies?: readonly string[]
  /** A change that another follows each second. What paths have in braces counts seconds back from the latest one. */
  readonly changed?: ChangeTime | undefined
  readonly connections: number
  /** The least duration. Lasts longer until there are as many responses as connections. */
  readonly seconds: number
}

/**
 * Walks through a list, one after the other on one connection: each begins with the next path and follows
 * the links. The last one begins before the least duration is over.
 */
export interface WalkLoad extends Omit<Load, "cookies" | "connections"> {
  readonly walk: {
    /** The number of records in the list. */
    readonly records: number
    /** The greatest number of records that change per second. */
    readonly changesPerSecond: number
  }
}

export interface LoadResult {
  readonly responses: number
  /** Responses per second; of walks, records per second. */
  readonly rate: number
  /** The number of responses per status. */
  readonly statuses: Readonly<Record<string, number>>
  /** The errors of connections and of requests without a response. */
  readonly failures: readonly string[]
}

/** Replaces what a path has in braces by the `updated` of so many seconds before the newest change. */
export function atChange(path: string, newest: number): string {
  return path.replace(/\{(\d+)\}/, (_, seconds) => String(newest - Number(seconds)))
}

/** Sends a load from a separate process, and returns the rate. @throws {Error} unless all responses have this status. */
export async function sendLoad(load: Load | WalkLoad, status: number): Promise<number> {
  const program = "walk" in load ? "test/bench/walker.ts" : "test/bench/generator.ts"
  const generator = spawn(process.execPath, [program], {
    stdio: ["pipe", "pipe", "inherit"],
  })
  const forget = atExit(() => generator.kill("SIGKILL"))
  generator.stdin.end(JSON.stringify(load))
  const [output] = await Promise.all([text(generator.stdout), once(generator, "exit")])
  forget()
  const { responses, rate, statuses, failures }: LoadResult = JSON.parse(output)
  if (failures.length > 0 || responses === 0 || statuses[status] !== responses) {
    throw new Error(
      `${load.url}${load.paths[0]}: not all responses were ${status}: ` +
        `${JSON.stringify(statuses)} ${failures.join(", ")}. The measurement is void.`,
    )
  }
  return rate
}
