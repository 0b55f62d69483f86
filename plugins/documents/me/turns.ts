import { boundedCache } from "../../../core/capability.ts"

/** A pause is this many times as long as the page before it: all pages of an account take a quarter of the time. */
const pauses = 3

/**
 * Returns a function that makes the pages of an account one after the other, with pauses between them. A page reads all lists
 * of its account: reloading one with hundreds of lists must not keep others waiting.
 */
export function makeTurns() {
  const ends = boundedCache<Promise<void>>({ most: 1000 })
  return async <Page>(accountId: string, make: () => Promise<Page>): Promise<Page> => {
    const before = ends.get(accountId)
    const { promise, resolve } = Promise.withResolvers<void>()
    ends.set(accountId, promise)
    await before
    const began = performance.now()
    try {
      return await make()
    } finally {
      setTimeout(resolve, pauses * (performance.now() - began))
    }
  }
}
