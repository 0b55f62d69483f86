import { setImmediate } from "node:timers/promises"
import type { Kysely, Transaction } from "kysely"

/** The number of rows deleted per transaction, so that nothing waits long for locks. */
const portion = 1000

/** Which rows to delete, and how. */
interface Deletion<DB, Row> {
  /** Finds up to `limit` rows that are still there; none ends the deletion. */
  find(limit: number): Promise<readonly Row[]>
  /** Deletes one by its key: given a list of keys, planners may scan the table, and lock what they scan. */
  remove(db: Transaction<DB>, row: Row): Promise<unknown>
}

/** Deletes rows, a portion after the other, until `signal` aborts. Returns their number. */
export async function deleteInPortions<DB, Row>(
  db: Kysely<DB>,
  { find, remove }: Deletion<DB, Row>,
  signal?: AbortSignal,
): Promise<number> {
  let sum = 0
  while (!signal?.aborted) {
    const rows = await find(portion)
    if (rows.length === 0) break
    sum += await db.transaction().execute(async (transaction) => {
      for (const [deleted, row] of rows.entries()) {
        if (signal?.aborted) return deleted
        await remove(transaction, row)
      }
      return rows.length
    })
    // The embedded database never waits: without this, nothing else would run until the end.
    await setImmediate()
  }
  return sum
}
