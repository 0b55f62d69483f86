import { Random } from "../../support/random.ts"
import type { Step } from "./simulation.ts"

/** A step at a moment. */
export interface PlannedStep {
  /** Milliseconds since the burst began. */
  readonly at: number
  readonly step: string
  /** Of its choices, so that leaving out others changes none of them. */
  readonly seed: number
}

/** Steps that overlap, and a pause in which only the service works. */
export interface Burst {
  readonly steps: readonly PlannedStep[]
  /** Milliseconds. */
  readonly pause: number
}

export type Plan = readonly Burst[]

/** The most milliseconds from the first to the last step of a burst. */
const longestBurst = 20_000
const mostSteps = 24
/** Bursts of a day. */
const perDay = 16
const day = 86_400_000

/** Plans what happens in a world: the same for a seed and the same steps. */
export function makePlan(
  steps: readonly Pick<Step, "name" | "weight">[],
  { seed, days }: { readonly seed: number; readonly days: number },
): Plan {
  const random = new Random(seed)
  const parts = steps.map(({ weight }) => Math.round(weight * 100))
  const all = parts.reduce((sum, part) => sum + part, 0)
  const choose = () => {
    let left = random.below(all)
    const index = parts.findIndex((part) => (left -= part) < 0)
    return (steps[index] as Step).name
  }
  return Array.from({ length: Math.max(1, Math.round(days * perDay)) }, () => {
    const length = random.between(1000, longestBurst)
    const planned = Array.from({ length: random.between(1, mostSteps) }, () => ({
      at: random.below(length),
      step: choose(),
      seed: random.below(2 ** 32),
    }))
    planned.sort((a, b) => a.at - b.at)
    return { steps: planned, pause: random.below(2 * day / perDay) }
  })
}
