import type { Part, Place, ReadPage } from "../../support/partner/list-source.ts"
import type { Row } from "../../support/partner/rows.ts"
import { nameOf } from "./guests.ts"

/** Returns a page as text, with times since the start. */
export function tellPage(part: Part, place: Place, page: ReadPage, start: number): string {
  const isFirst = "offset" in place && place.offset === 0
  const where = isFirst ? `${part} since ${tellTime(place.since, start)}` : part
  const what = page.unchanged ? "304" : tellRecords(page.rows, start) || "nothing"
  const next = isFirst ? `; Next-Since ${tellTime(page.nextSince, start)}` : ""
  return `${where}: ${what}${next}`
}

/** Returns the names of records, with their times since the start. */
export function tellRecords(rows: readonly Row[], start: number): string {
  // Deletions have no time.
  return rows.map(({ id, updated }) =>
    Number.isNaN(updated) ? nameOf(id) : `${nameOf(id)} at ${updated - start}`
  ).join(", ")
}

function tellTime(time: number | undefined, start: number): string {
  return time === undefined || time < 0 ? "ever" : String(time - start)
}
