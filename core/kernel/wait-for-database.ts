import { setTimeout } from "node:timers/promises"
import { translateError, Unavailable } from "../data/unavailable.ts"

/** How to wait for a database that is away. */
export interface WaitOptions {
  /** Called at first, and twice a minute: with the seconds since then, and why the database cannot be used. */
  readonly report: (wait: { readonly seconds: number; readonly reason: string }) => Promise<void>
  /** Ends the waiting. */
  readonly signal: AbortSignal
  /** Milliseconds of the first pause between attempts. Doubles each time, up to ten times as long. */
  readonly pause?: number
}

/** Milliseconds between reports. */
const reportEvery = 30_000

/**
 * Runs `start` until the database is there.
 *
 * @throws what `start` throws if waiting does not help, such as a wrong password; and on `signal`.
 */
export async function waitForDatabase<T>(
  start: () => Promise<T>,
  { report, signal, pause = 500 }: WaitOptions,
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
        await report({ seconds, reason: error.message })
        reported = now
      }
      await setTimeout(wait, undefined, { signal })
    }
  }
}
