import { boundedCache } from "../data/bounded-cache.ts"
import type { Log } from "../log.ts"
import type { Facts } from "./facts.ts"

/** The most lists that are remembered. */
const mostLists = 10_000

/** Returns a function that warns of a page that leaves out records: once of each list of an event. */
export function warnOfLeftOut(log: Log): (facts: Facts) => void {
  const warned = boundedCache<true>({ most: mostLists })
  return ({ line: { event, route }, page }) => {
    if (!page) return
    const { list: { name: list }, leftOut } = page
    const key = `${event ?? ""} ${list}`
    if (warned.get(key)) return
    warned.set(key, true)
    log.warn({ event, list, route, leftOut }, "records are left out: their ids are no UUIDs")
  }
}
