import type { Database } from "./data/database.ts"
import { pruneChangeLog } from "./data/prune.ts"
import type { Log } from "./log.ts"

const anHour = 60 * 60 * 1000

/** Prunes the change log every hour; answers a function that stops it, after what is running. */
export function startPruning(database: Database, retention: number, log: Log): () => Promise<void> {
  let running = Promise.resolve()
  const timer = setInterval(() => {
    running = prune(database, retention, log)
  }, anHour)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}

async function prune(database: Database, retention: number, log: Log): Promise<void> {
  try {
    const rows = await pruneChangeLog(database, retention)
    if (rows > 0) log.info({ rows }, "pruned the change log")
  } catch (error) {
    log.warn({ error }, "could not prune the change log")
  }
}
