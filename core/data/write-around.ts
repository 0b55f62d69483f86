import { isAboutValues, translateError, Unavailable } from "./unavailable.ts"

interface WriteOutcome<T> {
  /** Have to wait, in their order. */
  readonly left: readonly T[]
  /** The reason, if some have to wait. */
  readonly failure: unknown
  /** The errors of the items that the database refuses, whatever is written beside them. */
  readonly refusals: readonly unknown[]
}

/** The most items that may fail one by one before the fault must be the database's. */
const mostSuspects = 2

/**
 * Writes items in order, around those that the database refuses. `write` writes all of its items or none. An error of a
 * single item that is about values is the item's; another one, such as a missing privilege, only if the item fails
 * again after others have been written.
 */
export async function writeAround<T extends object>(
  items: readonly T[],
  write: (items: readonly T[]) => Promise<void>,
): Promise<WriteOutcome<T>> {
  const left = new Set(items)
  const refusals: unknown[] = []
  const suspects: T[] = []
  const triedAgain = new Set<T>()
  const parts = [items]
  let failure: unknown
  for (let part = parts.pop(); part; part = parts.pop()) {
    const error = await attempt(() => write(part))
    const [first] = part
    if (first === undefined) continue
    if (error === undefined) {
      for (const item of part) left.delete(item)
      for (const suspect of suspects.splice(0)) {
        triedAgain.add(suspect)
        parts.push([suspect])
      }
    } else if (error instanceof Unavailable) {
      failure = error
      break
    } else if (part.length > 1) {
      const middle = Math.ceil(part.length / 2)
      parts.push(part.slice(middle), part.slice(0, middle))
    } else if (isAboutValues(error) || triedAgain.has(first)) {
      left.delete(first)
      refusals.push(error)
    } else {
      failure = error
      if (suspects.push(first) > mostSuspects) break
    }
  }
  return { left: [...left], failure, refusals }
}

/** Returns the error of `work`, or undefined. */
async function attempt(work: () => Promise<void>): Promise<unknown> {
  try {
    await work()
    return undefined
  } catch (error) {
    return translateError(error) ?? new Error("unknown")
  }
}
