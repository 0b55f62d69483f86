import { performance } from "node:perf_hooks"
import type { Database } from "../../../core/capability.ts"
import type { Withdrawals } from "./ends.ts"
import { countOverdue, type OverdueCounts } from "./overdue.ts"

/** Milliseconds for which the counts are kept: to count anew may read many deletions. */
const lifetime = 300_000

/** Counts the guests whose erasure is overdue so many days after the deletion, by account, for metrics. */
export function overdueCounts(database: Database, days: number, withdrawals?: Withdrawals) {
  let counts: OverdueCounts = { deleted: new Map(), withdrawn: new Map() }
  let countedAt = -Infinity
  let counting: Promise<void> | undefined
  const countAnew = async () => {
    countedAt = performance.now()
    counts = await countOverdue(database, days, withdrawals)
  }
  /** Counts anew. Never rejects: if the database does not answer, the former counts stay. */
  const count = () =>
    counting ??= database.inBackground(countAnew).catch(() => {}).finally(() => {
      counting = undefined
    })
  return {
    count,
    /** Returns counts of five minutes ago at most, once they are known. Begins to count if they are older; never waits. */
    latest(): OverdueCounts {
      if (performance.now() - countedAt >= lifetime) void count()
      return counts
    },
  }
}
