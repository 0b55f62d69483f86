import {
  RateLimiterCluster,
  RateLimiterClusterMaster,
  RateLimiterMemory,
} from "rate-limiter-flexible"

/** Counts points by key within windows of time. */
export type Counter = Pick<RateLimiterMemory, "consume" | "reward">

/** A counter's name, the points of a window, and its seconds. */
export interface CounterOptions {
  readonly name: string
  readonly points: number
  readonly duration: number
}

/** Makes counters. */
export type Counters = (options: CounterOptions) => Counter

/** Counters of this process alone. */
export const ownCounters: Counters = ({ name, ...window }) =>
  new RateLimiterMemory({ keyPrefix: name, ...window })

/**
 * Counters of a worker, kept by the primary: all workers count together. Each costs a message there
 * and back. One of the same name and window is the same one, so it outlives a reload.
 */
export function sharedCounters(): Counters {
  const made = new Map<string, Counter>()
  return ({ name, points, duration }) => {
    const keyPrefix = `${name} ${points} ${duration}`
    const counter = made.get(keyPrefix) ?? new RateLimiterCluster({ keyPrefix, points, duration })
    made.set(keyPrefix, counter)
    return counter
  }
}

/** Keeps the counters of all workers, in the primary. */
export function keepCounters(): void {
  new RateLimiterClusterMaster()
}
