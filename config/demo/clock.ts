import type { Random } from "./random.ts"

/** The time of the demonstration, in Unix seconds. No record is later. */
export const reference = utc("2026-11-01T00:00:00Z")

/** The default of `since`, in Unix seconds: lists leave out records that were last changed earlier. */
export const defaultSince = 1606062358

const week = 7 * 24 * 60 * 60

/** Converts a time in ISO 8601 to Unix seconds. */
export function utc(time: string): number {
  return Date.parse(time) / 1000
}

/** Returns the time that is `weeks` before the reference, in Unix seconds. */
export function weeksBefore(weeks: number): number {
  return reference - weeks * week
}

/** The times of a record's creation and last change, in Unix seconds. */
export interface Stamps {
  readonly created: number
  readonly updated: number
}

/** Generates plausible stamps. */
export interface Clock {
  /** Returns stamps since the event was opened. Many share a second, as imported records do. */
  recent(): Stamps
  /** Returns stamps from the years before the default of `since`. */
  longAgo(): Stamps
}

/** Creates a clock for an event whose first records are from `opened`. */
export function clockFor(random: Random, opened: number): Clock {
  const imports = Array.from({ length: 40 }, () => between(opened, reference))

  function between(min: number, max: number): number {
    return random.between(min, max)
  }

  function moment(): number {
    return random.chance(0.6) ? random.pick(imports) : between(opened, reference)
  }

  function stamps(one: number, other: number): Stamps {
    const created = Math.min(one, other)
    return { created, updated: random.chance(0.4) ? created : Math.max(one, other) }
  }

  return {
    recent: () => stamps(moment(), moment()),
    longAgo: () => {
      const oldest = utc("2019-03-01T00:00:00Z")
      return stamps(between(oldest, defaultSince - 1), between(oldest, defaultSince - 1))
    },
  }
}
