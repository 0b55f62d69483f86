import type { Random } from "./random.ts"

/** The time of the demonstration, in Unix seconds. No record is later. */
const reference = utc("2026-11-01T00:00:00Z")

const week = 7 * 24 * 60 * 60

/** Converts a time in ISO 8601 to Unix seconds. */
export function utc(time: string): number {
  return Date.parse(time) / 1000
}

/** Returns the time that is `weeks` before the reference, in Unix seconds. */
export function weeksBefore(weeks: number): number {
  return reference - weeks * week
}

/**
 * Makes what generates the times at which records of an event were made, the first of them `opened`. Many share a
 * second, as imported records do.
 */
export function clockFor(random: Random, opened: number): () => number {
  const between = () => random.between(opened, reference)
  const imports = Array.from({ length: 40 }, between)
  return () => random.chance(0.6) ? random.pick(imports) : between()
}
