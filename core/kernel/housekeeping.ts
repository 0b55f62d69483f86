import { pruneFailures } from "../access/failed-log-ins.ts"
import { pruneSessions } from "../access/sessions.ts"
import { pruneChangeLog } from "../change-log/prune.ts"
import { pruneAudit } from "../observe/audit-log.ts"
import type { Service } from "./service.ts"

const anHour = 3_600_000

/**
 * Deletes what has expired, now and every hour: entries of the audit log and the change log past
 * their retention, old failures of log-ins, and expired sessions. Returns a function that stops it, once the current
 * run has ended.
 */
export function startHousekeeping(service: Pick<Service, "instance" | "log">): () => Promise<void> {
  let clearing = Promise.resolve()
  const clear = async () => {
    // Each reload brings a new instance.
    const { instance: { config, database }, log } = service
    try {
      await pruneFailures(database)
      await pruneSessions(database)
      const audit = await pruneAudit(database, config.audit.retention)
      const changes = await pruneChangeLog(database, config.polling.retention)
      if (audit + changes > 0) log.info({ audit, changes }, "pruned")
    } catch (error) {
      log.warn({ error }, "housekeeping failed; the next attempt is in an hour")
    }
  }
  const begin = () => {
    clearing = clearing.then(clear)
  }
  const first = setTimeout(begin, 1000)
  const timer = setInterval(begin, anHour)
  for (const each of [first, timer]) each.unref()
  return async () => {
    clearTimeout(first)
    clearInterval(timer)
    await clearing
  }
}
