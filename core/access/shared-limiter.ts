import { createHash } from "node:crypto"
import { RateLimiterRes, type RateLimiterStoreAbstract } from "rate-limiter-flexible"
// @ts-expect-error: the package has types for this class, and exports it from its own file only
import StoreAbstract from "rate-limiter-flexible/lib/RateLimiterStoreAbstract.js"
import type { Database } from "../data/database.ts"
import { changeCounter, type Counter, deleteCounter, findCounter } from "./rate-limits.ts"

const Store = StoreAbstract as typeof RateLimiterStoreAbstract

/**
 * A limiter whose counters are in the database, so that all instances share them. Keys are stored as
 * hashes: names that were tried, and addresses, are nobody's business.
 */
export class SharedLimiter extends Store {
  readonly #database: Database

  constructor(
    database: Database,
    options: { readonly keyPrefix: string; readonly points: number; readonly duration: number },
  ) {
    super({ storeClient: database, ...options })
    this.#database = database
  }

  // What the library asks of a store.

  _upsert(key: string, points: number, milliseconds: number, anew = false): Promise<Counter> {
    return changeCounter(this.#database, hash(key), { points, seconds: milliseconds / 1000, anew })
  }

  _get(key: string): Promise<Counter | undefined> {
    return findCounter(this.#database, hash(key))
  }

  _delete(key: string): Promise<boolean> {
    return deleteCounter(this.#database, hash(key))
  }

  _getRateLimiterRes(_key: string, changed: number, { points, wait }: Counter): RateLimiterRes {
    const left = Math.max(0, this.points - points)
    return new RateLimiterRes(left, wait * 1000, points, points === changed)
  }
}

function hash(key: string): string {
  return createHash("sha256").update(key).digest("hex")
}
