import { clockFor } from "./clock.ts"
import type { EventPlan } from "./events.ts"
import { Random } from "./random.ts"

/** An event and the random source that generates all of its records. */
export interface Scene {
  readonly event: EventPlan
  readonly random: Random
  /** Returns the time at which a record was made, in Unix seconds. */
  readonly clock: () => number
}

/** Creates the scene of an event. The same calls in the same order generate the same records. */
export function sceneOf(event: EventPlan): Scene {
  const random = new Random(event.seed)
  return { event, random, clock: clockFor(random, event.opened) }
}

/** Returns a value with the given probability, else null. */
export function maybe<T>({ random }: Scene, probability: number, make: () => T): T | null {
  return random.chance(probability) ? make() : null
}
