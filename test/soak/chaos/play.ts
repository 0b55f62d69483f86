import { setTimeout as sleep } from "node:timers/promises"
import type { Random } from "../../support/random.ts"
import { type AuditSummary, checkAudit } from "./audit-check.ts"
import { compareCopies, type Comparison } from "./comparison.ts"
import type { Crowd } from "./crowd.ts"
import { untilRecovered } from "./recovery.ts"
import type { Stage } from "./stage.ts"

/** What a fault is given: what it disturbs, who is there, and its choices. */
export type FaultContext<S extends Stage> = S & { readonly crowd: Crowd; readonly random: Random }

/** Trouble that the services must survive without a restart. */
export interface Fault<S extends Stage> {
  readonly name: string
  /** What it does, for `FAULTS=?`. */
  readonly summary: string
  /** True if another server becomes the primary: partners then read again what they may have lost. */
  readonly moves?: true
  /** True if it takes longer than a stage of `make soak` has. */
  readonly isLong?: true
  /** Makes the trouble, and ends it again. */
  inject(context: FaultContext<S>): Promise<void>
}

/** A fault that was injected, and the milliseconds until each service had recovered from it. */
export interface InjectedFault {
  readonly name: string
  readonly recovery: readonly number[]
}

export interface PlayOptions<S extends Stage> {
  readonly crowd: Crowd
  readonly random: Random
  readonly seconds: number
  /** How many faults to inject at least, however much longer that takes on a slow machine. */
  readonly least: number
  /** Outcomes that partners have to meet: goes on until they have, but at most until each fault was injected once. */
  readonly outcomes?: readonly string[]
  readonly faults: readonly Fault<S>[]
  readonly signal: AbortSignal
  /** Is called with what is done. */
  readonly report: (line: string) => void
}

/** What a run did and found. */
export interface PlayResult {
  readonly stage: Stage
  readonly crowd: Crowd
  readonly injected: readonly InjectedFault[]
  /** Undefined if the run ended before. */
  readonly comparison: Comparison | undefined
  readonly audit: AuditSummary | undefined
}

/** Injects one fault after the other while partners poll and writers write, then compares all copies with the tables. */
export async function play<S extends Stage>(
  stage: S,
  options: PlayOptions<S>,
): Promise<PlayResult> {
  const { observations, services } = stage
  const { crowd, random, report } = options
  const injected: InjectedFault[] = []
  let comparison: Comparison | undefined
  let audit: AuditSummary | undefined
  const compare = async () => {
    observations.fault = "comparison"
    await crowd.rest(() => stage.settle())
    await stage.checkRest?.(crowd)
    comparison = await compareCopies(stage, crowd)
    observations.fault = "none"
    report(`${comparison.compared} records compared`)
  }
  try {
    await crowd.start()
    const end = performance.now() + options.seconds * 1000
    const isOver = () => isEnough(stage, { done: injected.length, end }, options)
    for (const fault of sequence(options, isOver)) {
      if (fault === "compare") {
        await compare()
        await crowd.goOn()
      } else {
        injected.push(await inject(stage, fault, options))
      }
      await sleep(random.between(100, 400))
    }
    await crowd.pause()
    await crowd.finish()
    await compare()
    // Entries are lost with other commits.
    if (!stage.hasLostCommits?.()) audit = await checkAudit(stage)
    await stage.checkAtEnd?.()
    for (const service of services) await service.stop()
  } catch (error) {
    observations.violate((error as Error).stack ?? String(error))
  } finally {
    await crowd.dismiss()
  }
  return { stage, crowd, injected, comparison, audit }
}

/** Injects a fault, and waits until all services have recovered. @throws if one does not. */
async function inject<S extends Stage>(
  stage: S,
  fault: Fault<S>,
  { crowd, random, report }: PlayOptions<S>,
): Promise<InjectedFault> {
  const { observations, services } = stage
  const { name } = fault
  const began = performance.now()
  observations.fault = name
  await fault.inject({ ...stage, crowd, random })
  stage.afterFault?.(began)
  const recovery = await Promise.all(services.map((each) => untilRecovered(each, stage)))
  stage.afterRecovery?.()
  observations.fault = "none"
  report(`${name}: recovered after ${recovery.map(Math.round).join(" and ")} ms`)
  return { name, recovery }
}

/**
 * Returns faults, each as often as the others, in an order that the seed decides. Those that make another server the
 * primary follow a comparison: they hide what was lost before.
 */
function* sequence<S extends Stage>(
  { faults, random }: PlayOptions<S>,
  isOver: () => boolean,
): Generator<Fault<S> | "compare"> {
  const calm = shuffled(faults.filter(({ moves }) => !moves), random)
  const moving = shuffled(faults.filter(({ moves }) => moves), random)
  const moves = faults.some(({ moves }) => moves)
  if (faults.length === 0) return
  // What a failover hides is hidden for a minute after it.
  for (let count = 2; !isOver(); count = 6) {
    for (let left = count; left > 0 && !isOver(); left--) yield* calm.next().value ?? []
    if (!moves) continue
    yield "compare"
    yield* moving.next().value ?? []
  }
}

/** Returns each as often as the others, in another order each time; nothing if there is none. */
function* shuffled<T>(all: readonly T[], random: Random): Generator<readonly T[], undefined> {
  while (all.length > 0) for (const each of random.shuffle(all)) yield [each]
  return undefined
}

/** True after enough faults, and after the time that was asked for. */
function isEnough<S extends Stage>(
  { observations }: Stage,
  { done, end }: { readonly done: number; readonly end: number },
  { least, outcomes = [], faults, signal }: PlayOptions<S>,
): boolean {
  const isMissed = (outcome: string) => !observations.outcomes().has(outcome)
  return signal.aborted || (done >= least && performance.now() > end &&
    (done >= faults.length || !outcomes.some(isMissed)))
}
