import { setTimeout } from "node:timers/promises"
import { Attempts, type Database, type Log } from "../../../../core/capability.ts"
import type { ReadMutes } from "../mutes.ts"
import { recordStates } from "./record-states.ts"

interface WatchOptions {
  /** How long deletions are kept, in seconds: `polling.retention`. */
  readonly retention: number
  readonly log: Log
  /** Returns what reads who is muted, if anything does. */
  findMutes(): Promise<ReadMutes | undefined>
  /** Ends it. */
  readonly closing: AbortSignal
  /** Milliseconds until the first look, and between two. */
  readonly first?: number
  readonly every?: number
}

/**
 * Looks at all partners once a minute, so that their history does not depend on who looks at the console. Never fails: what
 * nobody could look at is not known. The database waits for a look before it is closed.
 */
export function watchStates(
  database: Database,
  { retention, log, findMutes, closing: signal, first = 10_000, every = 60_000 }: WatchOptions,
): void {
  const attempts = new Attempts(() => log, {
    failed: "cannot note how partners are doing: their history has a gap",
    over: "how partners are doing is noted again",
  })
  const look = async () => {
    try {
      await recordStates(database, { retention, readMutes: await findMutes() }, signal)
      attempts.succeeded()
    } catch (error) {
      if (!signal.aborted) attempts.failed(error)
    }
  }
  const run = async () => {
    for (let pause = first;; pause = every) {
      await setTimeout(pause, undefined, { signal, ref: false })
      await database.inBackground(look)
    }
  }
  // Rejects when it is ended.
  run().catch(() => {})
}
