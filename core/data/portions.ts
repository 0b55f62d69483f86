import { setImmediate } from "node:timers/promises"

/**
 * Calls `work`, which handles a portion of a long task and returns its size, until nothing is left or
 * `signal` aborts. Returns the sum of the sizes.
 */
export async function inPortions(
  work: () => Promise<number>,
  signal?: AbortSignal,
): Promise<number> {
  let sum = 0
  while (!signal?.aborted) {
    const size = await work()
    if (size === 0) break
    sum += size
    // The embedded database never waits: without this, nothing else would run until the end.
    await setImmediate()
  }
  return sum
}
