import { setTimeout as sleep } from "node:timers/promises"
import { NotNow } from "./client.ts"

/** Repeats `work` until `signal`, whether it can be done or not. */
export async function repeat(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await work().catch((error) => {
      if (!(error instanceof NotNow)) throw error
    })
    await sleep(100)
  }
}
