import { pruneAudit } from "./data/audit.ts"
import { pruneCounters } from "./data/rate-limits.ts"
import type { Service } from "./service.ts"

const anHour = 3_600_000

/**
 * Clears away what is past, now and every hour: audit entries older than the configuration
 * keeps them, and counters that have expired. Answers a function that ends it.
 */
export function keepHouse(
  service: Pick<Service, "kernel" | "log">,
): () => void {
  const clear = async () => {
    // The kernel changes with every reload.
    const { kernel: { config, database }, log } = service
    try {
      await pruneCounters(database)
      const pruned = await pruneAudit(database, config.audit.retention)
      if (pruned > 0) log.info({ pruned }, "audit log pruned")
    } catch (error) {
      log.warn({ error }, "housekeeping failed; it is tried again in an hour")
    }
  }
  const first = setTimeout(() => void clear(), 1000)
  const timer = setInterval(() => void clear(), anHour)
  for (const each of [first, timer]) each.unref()
  return () => {
    clearTimeout(first)
    clearInterval(timer)
  }
}
