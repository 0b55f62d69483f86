import { setTimeout } from "node:timers/promises"
import { pruneFailures } from "../access/failed-log-ins.ts"
import { pruneSessions } from "../access/sessions.ts"
import { pruneChangeLog } from "../change-log/prune.ts"
import type { Log } from "../log.ts"
import type { Instance } from "./instance.ts"
import type { Service } from "./service.ts"

/**
 * Deletes what has expired, `first` milliseconds after the start and then in intervals of `every`: sessions, failures
 * to log in, what capabilities keep, and entries of the change log past their retention.
 *
 * Returns a function that stops it: a run ends after its current statement, and closing the database waits for that. A
 * run also ends when a reload replaces its configuration; then the next one begins at once with the new one.
 */
export function startHousekeeping(
  service: Pick<Service, "instance" | "log">,
  { first = 1000, every = 3_600_000 } = {},
): () => void {
  const stop = new AbortController()
  const { signal } = stop
  const run = async () => {
    for (let pause = first;; pause = every) {
      await setTimeout(pause, undefined, { signal, ref: false })
      await cleanUp(service, signal)
    }
  }
  // Rejects when it is stopped.
  run().catch(() => {})
  return () => stop.abort()
}

async function cleanUp(
  service: Pick<Service, "instance" | "log">,
  stop: AbortSignal,
): Promise<void> {
  while (!stop.aborted) {
    const { instance, log } = service
    const signal = AbortSignal.any([stop, instance.closing])
    await instance.database.inBackground(() => prune(instance, { log, signal }))
    if (service.instance === instance) return
  }
}

/** Never throws. */
async function prune(
  { config, database, capabilities }: Instance,
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): Promise<void> {
  try {
    await pruneFailures(database, signal)
    await pruneSessions(database, signal)
    const pruned: Record<string, number> = {}
    for (const [name, { cleanUp }] of capabilities) {
      const rows = await cleanUp?.(signal)
      if (rows) pruned[name] = rows
    }
    const changes = await pruneChangeLog(database, config.polling.retention, signal)
    if (changes > 0) pruned["changes"] = changes
    if (Object.keys(pruned).length > 0) log.info(pruned, "pruned")
  } catch (error) {
    log.warn({ error }, "housekeeping failed; the next attempt is in an hour")
  }
}
