import { setTimeout as sleep } from "node:timers/promises"
import type { Random } from "../../support/random.ts"
import type { Crowd } from "./crowd.ts"
import type { Fault } from "./fault.ts"
import { untilRecovered } from "./recovery.ts"
import type { Stage } from "./stage.ts"

/** A fault that was injected, and the milliseconds until each service had recovered from it. */
export interface InjectedFault {
  readonly name: string
  readonly recovery: readonly number[]
}

export interface InjectionOptions {
  readonly seconds: number
  /** How many to inject at least, however much longer that takes on a slow machine. */
  readonly least?: number
  /** Outcomes that partners have to meet: goes on until they have, but at most until each fault was injected once. */
  readonly outcomes?: readonly string[]
  readonly faults: readonly Fault[]
  readonly random: Random
  readonly signal: AbortSignal
  readonly onRecovered: (injected: InjectedFault) => void
}

/**
 * Injects one fault after the other, each as often as the others. After each, waits until both services
 * have recovered.
 *
 * @throws if a service does not recover.
 */
export async function injectFaults(
  stage: Stage,
  crowd: Crowd,
  { seconds, least = 0, outcomes = [], faults, random, signal, onRecovered }: InjectionOptions,
): Promise<void> {
  const { observations, services } = stage
  let left: Fault[] = []
  const end = performance.now() + seconds * 1000
  const isMissed = (outcome: string) => !observations.outcomes().has(outcome)
  const isEnough = (done: number) =>
    done >= least && performance.now() >= end &&
    (done >= faults.length || !outcomes.some(isMissed))
  for (let done = 0; !isEnough(done); done++) {
    if (signal.aborted) return
    if (left.length === 0) left = random.shuffle(faults)
    const fault = left.shift() as Fault
    observations.fault = fault.name
    await fault.inject({ stage, crowd, random })
    const recovery = await Promise.all(services.map((each) => untilRecovered(each, stage)))
    observations.fault = "none"
    onRecovered({ name: fault.name, recovery })
    await sleep(random.between(100, 400))
  }
}
