/**
 * Returns a function that calls `read` only if its last result is not fresh enough, however often it is called: if it
 * is older than `fresh` milliseconds, and than `rest` times as long as it took to read. Concurrent calls share a
 * reading. A reading that fails returns undefined, and counts like any other.
 */
export function remember<T>(
  read: () => Promise<T>,
  { fresh, rest = 0 }: { readonly fresh: number; readonly rest?: number },
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
