import { performance } from "node:perf_hooks"

interface RememberOptions {
  /** Milliseconds for which a result is good enough. */
  readonly fresh: number
  /** How many times as long as it took to read a result is good enough at least. */
  readonly rest?: number
}

/**
 * Returns a function that calls `read` only if its last result is not fresh enough, however often it is called. Callers
 * share a reading that is under way. A reading that fails gives undefined, and counts like any other.
 */
export function remember<T>(
  read: () => Promise<T>,
  { fresh, rest = 0 }: RememberOptions,
): () => Promise<T | undefined> {
  let result: Promise<T | undefined> | undefined
  // On the clock of `performance.now()`.
  let due = 0
  const refresh = async () => {
    const begun = performance.now()
    try {
      return await read().catch(() => undefined)
    } finally {
      const ended = performance.now()
      due = ended + Math.max(fresh, rest * (ended - begun))
    }
  }
  return () => {
    if (result && performance.now() < due) return result
    due = Infinity
    return result = refresh()
  }
}
