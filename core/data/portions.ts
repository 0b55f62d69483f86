import { setImmediate } from "node:timers/promises"
import type { Kysely, Transaction } from "kysely"
import type { Schema } from "./schema.ts"

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

/**
 * Calls `work` for each row, in one transaction, until `signal` aborts. Returns how many were handled.
 *
 * For rows to delete: given a list of keys, planners may scan the table, and lock what they scan.
 */
export async function eachInTransaction<Row>(
  db: Kysely<Schema>,
  rows: readonly Row[],
  work: (db: Transaction<Schema>, row: Row) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<number> {
  return await db.transaction().execute(async (transaction) => {
    for (const [handled, row] of rows.entries()) {
      if (signal?.aborted) return handled
      await work(transaction, row)
    }
    return rows.length
  })
}
