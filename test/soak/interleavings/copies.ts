import type { List, Place, ReadPage, RecordCopy } from "../../support/polling/reader.ts"
import { nameOf } from "./guests.ts"

/** Returns which records differ between a copy and the table; undefined if none does. */
export function differences(
  copy: ReadonlyMap<string, RecordCopy>,
  truth: readonly RecordCopy[],
  { withDeletions }: { readonly withDeletions: boolean },
): string | undefined {
  const there = new Map(truth.map((record) => [record.id, record]))
  const ids = new Set([...there.keys(), ...withDeletions ? copy.keys() : []])
  const wrong = [...ids].flatMap((id) => {
    const has = JSON.stringify(copy.get(id)) ?? "missing"
    const is = JSON.stringify(there.get(id)) ?? "missing"
    return has === is ? [] : [`${nameOf(id)} is ${has} in the copy and ${is} in the table`]
  })
  return wrong.length > 0 ? wrong.join("; ") : undefined
}

/** Returns a page as text, with times since the start. */
export function tellPage(list: List, place: Place, page: ReadPage, start: number): string {
  const isFirst = "offset" in place && place.offset === 0
  const where = isFirst ? `${list} since ${tellTime(place.since, start)}` : list
  const what = page.unchanged ? "304" : tellRecords(page.records, start) || "nothing"
  const next = isFirst ? `; Next-Since ${tellTime(page.nextSince, start)}` : ""
  return `${where}: ${what}${next}`
}

/** Returns the names of records, with their times since the start. */
export function tellRecords(records: readonly RecordCopy[], start: number): string {
  // Deletions have no time.
  return records.map(({ id, updated }) =>
    updated === undefined ? nameOf(id) : `${nameOf(id)} at ${updated - start}`
  ).join(", ")
}

function tellTime(time: number | undefined, start: number): string {
  return time === undefined || time < 0 ? "ever" : String(time - start)
}
