import { boundedCache } from "../../../core/capability.ts"

/**
 * Each pause is this many times as long as the page before it, so that an account's pages take at most a quarter of the
 * time.
 */
const pauses = 3

/**
 * Returns a function that runs the pages of each account one after another, with pauses between them. A page reads all
 * lists of its account: reloading one with hundreds of lists must not delay other requests.
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
