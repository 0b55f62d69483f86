/** A time at which the database's clock was set back: what changed meanwhile has times in between. */
export interface ClockStep {
  /** The latest time that was seen before, in Unix seconds. */
  readonly reached: number
  /** The earliest time that was seen after. */
  readonly backTo: number
}

/**
 * Returns the latest time that the clock can have shown before a moment that it called `time`: a later one if it
 * was set back before.
 */
export function latestBefore(time: number, steps: readonly ClockStep[]): number {
  const around = steps.filter(({ reached, backTo }) => backTo <= time && time < reached)
  const latest = Math.max(time, ...around.map(({ reached }) => reached))
  return latest === time ? time : latestBefore(latest, steps)
}

/**
 * Returns the `since` to read from, for one that a client has got before or after the clock was set back.
 *
 * A client that has polled before the step has got a `Next-Since` that the clock reaches again later;
 * what changes until then is stamped with earlier times. So every `since` from between is taken back to
 * the beginning: such a client gets some records again, and misses none.
 */
export function sinceBefore(since: number, steps: readonly ClockStep[]): number {
  const around = steps.filter(({ reached, backTo }) => backTo < since && since <= reached)
  const earliest = Math.min(since, ...around.map(({ backTo }) => backTo))
  return earliest === since ? since : sinceBefore(earliest, steps)
}
