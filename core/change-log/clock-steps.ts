import type { Kysely } from "kysely"
import type { Schema } from "../data/schema.ts"

/**
 * The `backTo` of a step that makes all clients read everything again, because earlier records may differ from what was
 * sent. It says nothing about the clock.
 */
export const fullResync = 1

/** Seconds that a watermark stays behind what is known, for clocks that are adjusted a little. */
export const clockMargin = 2

/** Returns the steps that are remembered. */
export async function readSteps(db: Kysely<Schema>): Promise<ClockStep[]> {
  return await db.selectFrom("clock_step").select(["reached", "back_to as backTo"]).execute()
}

/** A time at which the database's clock was set back: what changed meanwhile has times in between. */
export interface ClockStep {
  /** The latest time that was seen before, in Unix seconds. */
  readonly reached: number
  /** The earliest time that was seen after. */
  readonly backTo: number
}

/**
 * Returns the `since` to read from, given one that a client received before or after the clock was set back.
 *
 * A client that polled before the step has a `Next-Since` that the clock reaches again later; what changes until then
 * is stamped with earlier times. So every `since` from between is taken back to the beginning: such a client gets some
 * records again, and misses none.
 */
export function sinceBefore(since: number, steps: readonly ClockStep[]): number {
  const around = steps.filter(({ reached, backTo }) => backTo < since && since <= reached)
  const earliest = Math.min(since, ...around.map(({ backTo }) => backTo))
  return earliest === since ? since : sinceBefore(earliest, steps)
}
