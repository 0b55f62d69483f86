import type { Faker } from "@faker-js/faker"

/** The moment at which the demonstration was recorded, in Unix seconds: nothing in it is later. */
export const reference = utc("2026-11-01T00:00:00Z")

/** Records that were last changed before this are hidden unless a caller sets `since`. */
export const defaultSince = 1606062358

const week = 7 * 24 * 60 * 60

/** Unix seconds of a time in ISO 8601. */
export function utc(time: string): number {
  return Date.parse(time) / 1000
}

/** The moment so many weeks before the reference. */
export function weeksBefore(weeks: number): number {
  return reference - weeks * week
}

/** When a record was made and last changed. */
export interface Stamps {
  readonly created: number
  readonly updated: number
}

/** Hands out plausible stamps. */
export interface Clock {
  /** From the weeks since the event was opened; many records share a second, as imports do. */
  recent(): Stamps
  /** From the years before the default of `since`. */
  longAgo(): Stamps
}

/** A clock for an event whose first records are from `opened`. */
export function clockFor(faker: Faker, opened: number): Clock {
  const imports = faker.helpers.multiple(() => between(opened, reference), { count: 40 })

  function between(min: number, max: number): number {
    return faker.number.int({ min, max })
  }

  function moment(): number {
    return faker.datatype.boolean(0.6)
      ? faker.helpers.arrayElement(imports)
      : between(opened, reference)
  }

  function stamps(one: number, other: number): Stamps {
    const created = Math.min(one, other)
    return { created, updated: faker.datatype.boolean(0.4) ? created : Math.max(one, other) }
  }

  return {
    recent: () => stamps(moment(), moment()),
    longAgo: () => {
      const oldest = utc("2019-03-01T00:00:00Z")
      return stamps(between(oldest, defaultSince - 1), between(oldest, defaultSince - 1))
    },
  }
}
