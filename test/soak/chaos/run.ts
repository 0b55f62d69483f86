import type { Program } from "../../support/mysql/programs.ts"
import { Random } from "../../support/random.ts"
import { join } from "node:path"
import { type AuditSummary, checkAudit } from "./audit-check.ts"
import { checkControl, compareCopies, comparePrograms, type Comparison } from "./comparison.ts"
import { Crowd } from "./crowd.ts"
import type { Fault } from "./fault.ts"
import { FeedProgram, withoutProgram } from "./feed-program.ts"
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
  /** As in `InjectionOptions`. */
  readonly outcomes?: readonly string[]
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
  /** How often the guide's program ended, and was killed, and how many records of its copies were compared. */
  readonly programs: { readonly runs: number; readonly kills: number; readonly compared: number }
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
  const leaving = new AbortController()
  const programs = withoutProgram ? [] : programsOf(stage, random, leaving.signal)
  const injected: InjectedFault[] = []
  let comparison: Comparison | undefined
  let comparedByProgram = 0
  let audit: AuditSummary | undefined
  const onRecovered = (fault: InjectedFault) => {
    injected.push(fault)
    options.onRecovered(fault)
  }
  try {
    await crowd.start()
    for (const program of programs) program.start()
    await injectFaults(stage, crowd, { ...options, random, onRecovered })
    await crowd.finish()
    await Promise.all(programs.map((program) => program.finish()))
    comparison = await compareCopies(stage, crowd.partners)
    comparedByProgram = await comparePrograms(stage, programs)
    checkControl(comparison, observations)
    observations.checkBounds()
    audit = await checkAudit(stage)
    await checkRelease(stage)
    for (const service of services) await service.stop()
  } catch (error) {
    observations.violate((error as Error).stack ?? String(error))
    if (server.hasEnded) observations.violate("MySQL does not run any more")
  } finally {
    leaving.abort()
    await crowd.dismiss()
  }
  return {
    mysql: server.version,
    injected,
    observations,
    crowd,
    comparison,
    programs: {
      runs: sum(programs.map(({ runs }) => runs)),
      kills: sum(programs.map(({ kills }) => kills)),
      compared: comparedByProgram,
    },
    audit,
    logLines: services.reduce((sum, { log }) => sum + log.lines, 0),
    messages: mergeCounts(services.map(({ log }) => log.messages)),
  }
}

/** Returns a partner for each event who runs the guide's program. */
function programsOf(
  { data: { eventIds }, services, cookies, folder }: Stage,
  random: Random,
  signal: AbortSignal,
): FeedProgram[] {
  // A cookie's value is a token.
  const [, token = ""] = /=(.*)/.exec(cookies["acme-export"] ?? "") ?? []
  return eventIds.map((id, index) =>
    new FeedProgram({
      folder: join(folder, `copy-${index}`),
      services,
      path: `/acme/v1/events/${id}/changes`,
      token,
      random: random.fork(),
      signal,
    })
  )
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function mergeCounts(all: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const [name, count] of all.flatMap((each) => [...each])) {
    sums.set(name, (sums.get(name) ?? 0) + count)
  }
  return sums
}
