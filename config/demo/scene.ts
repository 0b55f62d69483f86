import { base, en, Faker, generateMersenne53Randomizer } from "@faker-js/faker"
import { type Clock, clockFor } from "./clock.ts"
import type { PlannedEvent } from "./events.ts"
import { type Place, placesFrom } from "./places.ts"

/** An event and the one source of chance from which all of its records are drawn. */
export interface Scene {
  readonly event: PlannedEvent
  readonly faker: Faker
  readonly places: readonly Place[]
  readonly clock: Clock
}

/** The scene of an event. Drawing the same things in the same order gives the same records. */
export function sceneOf(event: PlannedEvent): Scene {
  const randomizer = generateMersenne53Randomizer(event.seed)
  const faker = new Faker({ locale: [en, base], randomizer })
  return {
    event,
    faker,
    places: placesFrom(randomizer),
    clock: clockFor(faker, event.row.created),
  }
}

/** A value now and then, else null. */
export function maybe<T>({ faker }: Scene, probability: number, make: () => T): T | null {
  return faker.datatype.boolean(probability) ? make() : null
}
