import { setTimeout } from "node:timers/promises"
import { pruneFailures } from "../access/failed-log-ins.ts"
import { pruneNetworks } from "../access/known-networks.ts"
import { pruneSessions } from "../access/sessions.ts"
import { pruneChangeLog } from "../change-log/prune.ts"
import { pruneDisclosures } from "../disclosures/prune.ts"
import type { Log } from "../log.ts"
import { pruneAudit } from "../observe/audit-log.ts"
import { pruneInstances } from "../partners/instances.ts"
import { prunePartners } from "../partners/prune-partners.ts"
import type { Instance } from "./instance.ts"
import type { Service } from "./service.ts"
import { SessionWarnings } from "./session-warnings.ts"

/** When housekeeping runs, in milliseconds. */
interface HousekeepingTimes {
  /** From the start to the first run. */
  readonly first?: number
  /** From the end of a run to the next. */
  readonly every?: number
}

/**
 * Deletes what has expired, soon after the start and every hour: entries of the audit log and the
 * change log and the ledger of disclosures past their retention, sessions, and what is too old about log-ins,
 * partners and processes. Then warns of sessions that end soon.
 *
 * Returns a function that stops it: a run ends after its current statement, which closing the database
 * waits for. A run also ends when a reload replaces its configuration; then the next one begins at once
 * with the new one.
 */
export function startHousekeeping(
  service: Pick<Service, "instance" | "log">,
  { first = 1000, every = 3_600_000 }: HousekeepingTimes = {},
): () => void {
  const stop = new AbortController()
  const { signal } = stop
  const warnings = new SessionWarnings()
  const run = async () => {
    for (let pause = first;; pause = every) {
      await setTimeout(pause, undefined, { signal, ref: false })
      await cleanUp(service, warnings, signal)
    }
  }
  // Rejects when it is stopped.
  run().catch(() => {})
  return () => stop.abort()
}

async function cleanUp(
  service: Pick<Service, "instance" | "log">,
  warnings: SessionWarnings,
  stop: AbortSignal,
): Promise<void> {
  while (!stop.aborted) {
    const { instance, log } = service
    const signal = AbortSignal.any([stop, instance.closing])
    await instance.database.inBackground(() => prune(instance, { log, signal, warnings }))
    if (service.instance === instance) return
  }
}

/** Never throws. */
async function prune(
  { config, database }: Instance,
  { log, signal, warnings }: {
    readonly log: Log
    readonly signal: AbortSignal
    readonly warnings: SessionWarnings
  },
): Promise<void> {
  try {
    await pruneFailures(database, signal)
    await pruneSessions(database, signal)
    await pruneNetworks(database, signal)
    await prunePartners(database, signal)
    await pruneInstances(database, signal)
    const audit = await pruneAudit(database, config.audit.retention, signal)
    const { retention } = config.disclosures
    const disclosures = await pruneDisclosures(database, retention, signal)
    const changes = await pruneChangeLog(database, config.polling.retention, signal)
    if (!signal.aborted) await warnings.warn(database, log)
    if (audit + disclosures + changes > 0) log.info({ audit, disclosures, changes }, "pruned")
  } catch (error) {
    log.warn({ error }, "housekeeping failed; the next attempt is in an hour")
  }
}
