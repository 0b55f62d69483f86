import { setImmediate } from "node:timers/promises"
import type { Category, Database } from "../../../core/capability.ts"
import { matcherOf, type PageRequest, readSearched } from "../../../core/lists.ts"
import type { Projection } from "../../../core/plugin.ts"
import type { ListEntry, LiveList } from "./live-list.ts"
import type { LiveRecords } from "./live-records.ts"

/** The projection of the texts that are searched. */
export interface SearchScope {
  readonly projection: Projection
  /** The number of the projection. */
  readonly number: number
}

/** Records whose texts are not known. */
export interface TextRequest extends SearchScope {
  readonly entries: readonly ListEntry[]
}

/** Keys that a search reads first, and at most at once. It needs all keys of a list, and doubles them each time. */
const fewestKeys = 1000
const mostKeys = 10_000

/** The longest list that is searched in memory. */
const mostSearched = 100_000

/** Texts that one statement reads. */
const portion = 1000

/** Milliseconds of folding after which other requests have their turn. */
const longestTurn = 5

/**
 * Returns the records that a page asks for and that have every term, as a list; or what is missing: a number of keys, or
 * texts; undefined if the list is too long.
 */
export function searchList(
  list: LiveList,
  { since, offset, limit, terms, after }: PageRequest,
  { projection, number }: SearchScope,
): LiveList | number | TextRequest | undefined {
  const { floor, size } = list
  if (size > mostSearched) return undefined
  if (floor && floor[0] >= since) return Math.min(Math.max(fewestKeys, size), mostKeys)
  const matches = matcherOf(terms)
  const unread: ListEntry[] = []
  // One more than the page, to see if the list goes on. A cursor does not say how many records precede it.
  const most = after ? Infinity : offset + limit + 1
  const found = list.filter(since, most, (entry) => {
    const text = entry.searched?.[number]
    if (text === undefined) unread.push(entry)
    return text !== undefined && matches(text)
  })
  return unread.length > 0 ? { projection, number, entries: unread } : found
}

/**
 * Reads texts, and keeps them in a list, except those of records that have changed meanwhile. Ends between two portions if
 * `mayGoOn` returns false. @throws {Unavailable}
 */
export async function readTexts(
  database: Database,
  records: LiveRecords,
  category: Category,
  { projection, number, entries }: TextRequest,
  mayGoOn: () => boolean,
): Promise<void> {
  const wanted = { eventId: records.eventId, category, projection }
  for (let start = 0; start < entries.length; start += portion) {
    if (!mayGoOn()) return
    const some = entries.slice(start, start + portion)
    const ids = some.map(({ id }) => id)
    const found = await database.readOnce((reader) => readSearched(reader, wanted, ids))
    let began = performance.now()
    for (const { place, version, fold } of found) {
      if (performance.now() - began > longestTurn) {
        await setImmediate()
        began = performance.now()
      }
      const entry = some[place] as ListEntry
      if (version === entry.version) records.list(category).keep(entry, "searched", number, fold())
    }
  }
}
