import { setTimeout } from "node:timers/promises"

/** In seconds. */
export const [hour, day] = [3600, 86_400]

/** Waits. @throws the reason of the signal if it aborts. */
export async function sleep(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  // Timers overflow after 24 days.
  for (let left = seconds; left > 0; left -= day) {
    const milliseconds = Math.min(left, day) * 1000
    await setTimeout(milliseconds, undefined, { signal }).catch(() => signal?.throwIfAborted())
  }
}
