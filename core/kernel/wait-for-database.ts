import { setTimeout } from "node:timers/promises"
import { translateError, Unavailable } from "../data/unavailable.ts"
import type { Log } from "../log.ts"

/** How to wait for a database that is away. */
export interface WaitOptions {
  readonly log: Log
  /** The database, for the log, without credentials. */
  readonly database: string
  /** Ends the waiting. */
  readonly signal: AbortSignal
  /** Milliseconds of the first pause between attempts. Doubles each time, up to ten times as long. */
  readonly pause?: number
}

/** Milliseconds between entries in the log. */
const reportEvery = 30_000

/**
 * Runs `start` until the database is there, and logs that it waits, at first and twice a minute.
 *
 * @throws what `start` throws if waiting does not help, such as a wrong password; and on `signal`.
 */
export async function waitForDatabase<T>(
  start: () => Promise<T>,
  { log, database, signal, pause = 500 }: WaitOptions,
): Promise<T> {
  const began = performance.now()
  let reported = -Infinity
  for (let wait = pause;; wait = Math.min(2 * wait, 10 * pause)) {
    try {
      return await start()
    } catch (thrown) {
      const error = translateError(thrown)
      if (!(error instanceof Unavailable)) throw thrown
      const now = performance.now()
      if (now - reported >= reportEvery) {
        const seconds = Math.round((now - began) / 1000)
        log.warn({ database, seconds, reason: error.message }, "waiting for the database")
        reported = now
      }
      await setTimeout(wait, undefined, { signal })
    }
  }
}
