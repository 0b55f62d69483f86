import type { Program } from "../support/mysql/programs.ts"
import { Random } from "../support/random.ts"
import { type AuditSummary, checkAudit } from "./audit-check.ts"
import { checkControl, compareCopies, type Comparison } from "./comparison.ts"
import { Crowd } from "./crowd.ts"
import type { Fault } from "./fault.ts"
import { type InjectedFault, injectFaults } from "./injection.ts"
import type { Observations } from "./observations.ts"
import { PrivateMysql } from "./private-mysql.ts"
import { checkRelease } from "./release-check.ts"
import { buildStage, type Stage } from "./stage.ts"

export interface ChaosOptions {
  /** The MySQL server to run. */
  readonly program: Program
  readonly seconds: number
  /** Faults to inject at least, however much longer that takes. */
  readonly least?: number
  readonly seed: number
  readonly faults: readonly Fault[]
  readonly signal: AbortSignal
  /** Called when the services have recovered from a fault. */
  readonly onRecovered: (injected: InjectedFault) => void
}

/** What a run did and found. */
export interface ChaosResult {
  readonly mysql: string
  readonly injected: readonly InjectedFault[]
  readonly observations: Observations
  readonly crowd: Pick<Crowd, "polls" | "resyncs" | "commits">
  /** Undefined if the run ended before. */
  readonly comparison: Comparison | undefined
  readonly audit: AuditSummary | undefined
  readonly logLines: number
  /** The warnings and errors that services logged, with how often each came. */
  readonly messages: ReadonlyMap<string, number>
}

/** Injects one fault after the other while partners poll and writers write, then compares all copies. */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const { program, seconds, signal } = options
  // Room for what a run writes, and little more: one of the faults fills it.
  const server = await PrivateMysql.start(program, {
    megabytes: 64 + Math.ceil(seconds / 15),
    signal,
  })
  try {
    const random = new Random(options.seed)
    const stage = await buildStage(server, random)
    try {
      return await play(stage, random, options)
    } finally {
      await stage.close()
    }
  } finally {
    await server.remove()
  }
}

async function play(stage: Stage, random: Random, options: ChaosOptions): Promise<ChaosResult> {
  const { observations, services, server } = stage
  const crowd = new Crowd(stage, random)
  const injected: InjectedFault[] = []
  let comparison: Comparison | undefined
  let audit: AuditSummary | undefined
  const onRecovered = (fault: InjectedFault) => {
    injected.push(fault)
    options.onRecovered(fault)
  }
  try {
    await crowd.start()
    await injectFaults(stage, crowd, { ...options, random, onRecovered })
    await crowd.finish()
    comparison = await compareCopies(stage, crowd.partners)
    checkControl(comparison, observations)
    audit = await checkAudit(stage)
    await checkRelease(stage)
    for (const service of services) await service.stop()
  } catch (error) {
    observations.violate((error as Error).stack ?? String(error))
    if (server.hasEnded) observations.violate("MySQL does not run any more")
  } finally {
    await crowd.dismiss()
  }
  return {
    mysql: server.version,
    injected,
    observations,
    crowd,
    comparison,
    audit,
    logLines: services.reduce((sum, { log }) => sum + log.lines, 0),
    messages: mergeCounts(services.map(({ log }) => log.messages)),
  }
}

function mergeCounts(all: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const [name, count] of all.flatMap((each) => [...each])) {
    sums.set(name, (sums.get(name) ?? 0) + count)
  }
  return sums
}
