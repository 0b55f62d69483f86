import { base, en, Faker, generateMersenne53Randomizer } from "@faker-js/faker"
import { type Clock, clockFor } from "./clock.ts"
import type { EventPlan } from "./events.ts"
import { type Place, placesFrom } from "./places.ts"

/** An event and the random source that generates all of its records. */
export interface Scene {
  readonly event: EventPlan
  readonly faker: Faker
  readonly places: readonly Place[]
  readonly clock: Clock
}

/** Creates the scene of an event. The same calls in the same order generate the same records. */
export function sceneOf(event: EventPlan): Scene {
  const randomizer = generateMersenne53Randomizer(event.seed)
  const faker = new Faker({ locale: [en, base], randomizer })
  return {
    event,
    faker,
    places: placesFrom(randomizer),
    clock: clockFor(faker, event.row.created),
  }
}

/** Returns a value with the given probability, else null. */
export function maybe<T>({ faker }: Scene, probability: number, make: () => T): T | null {
  return faker.datatype.boolean(probability) ? make() : null
}
