import { setTimeout as sleep } from "node:timers/promises"
import { valueOf } from "../../support/samples.ts"
import type { ServiceProcess } from "./service-process.ts"
import type { Stage } from "./stage.ts"

/** How the audit log compares with what partners have received. */
export interface AuditSummary {
  /** Responses with records, or 304. */
  readonly reads: number
  readonly missing: number
  /** Missing because they waited in the memory of a process that was killed. */
  readonly diedWithProcess: number
  /** Entries that services reported as lost. */
  readonly dropped: number
}

/**
 * Checks that the audit log lists every response with records. An entry may be missing only if it
 * waited in the memory of a process that was killed, or if a service says that it was lost.
 */
export async function checkAudit(
  { server, services, observations }: Stage,
): Promise<AuditSummary> {
  for (const service of services) await untilWritten(service)
  const rows = await server.run("select request_id from chaos.audit_log")
  const written = new Set(rows.map((row) => row["request_id"]))
  const { reads, killedLives } = observations
  const missing = reads.filter(({ requestId }) => !written.has(requestId))
  const died = missing.filter(({ life }) => killedLives.has(life))
  for (const { life, arrived } of died) {
    // Entries are written in the order of the responses.
    const overtaken = reads.some((read) =>
      read.life === life && read.sent > arrived && written.has(read.requestId)
    )
    if (overtaken) observations.violate("a later read is in the audit log, an earlier one is not")
  }
  const dropped = services.reduce((sum, { log }) => sum + log.dropped, 0)
  const unexplained = missing.length - died.length
  if (unexplained > dropped) {
    observations.violate(
      `${unexplained} reads are not in the audit log, and only ${dropped} were reported as lost`,
    )
  }
  return { reads: reads.length, missing: missing.length, diedWithProcess: died.length, dropped }
}

async function untilWritten(service: ServiceProcess): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const waiting = valueOf(await service.metrics(), "event_export_batch_waiting", {
      batch: "audit",
    })
    if (waiting === 0) return
    await sleep(100)
  }
  throw new Error(`${service.name} does not write its audit log`)
}
