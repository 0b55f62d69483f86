import { createHash } from "node:crypto"
import type { Category } from "../../core/records/kinds/categories.ts"

/** The number of ids that each category of each event has so far. */
const counts = new Map<string, number>()

/**
 * Returns the next id of a category of an event. The ids are the same in all categories of all events, so that tests
 * notice whatever is right only while ids differ.
 */
export function nextId(eventId: string, category: Category): string {
  const key = `${eventId} ${category}`
  const count = counts.get(key) ?? 0
  counts.set(key, count + 1)
  return idAt(count)
}

const ids: string[] = []

/** Returns the id of the record that an event got as this one, from 0. They are in no order. */
export function idAt(index: number): string {
  return ids[index] ??= newId(index)
}

function newId(index: number): string {
  const hash = createHash("sha256").update(`record ${index}`).digest("hex")
  const parts = [[0, 8], [8, 12], [12, 15], [15, 18], [18, 30]]
    .map(([start, end]) => hash.slice(start, end))
  return `${parts[0]}-${parts[1]}-4${parts[2]}-8${parts[3]}-${parts[4]}`
}
