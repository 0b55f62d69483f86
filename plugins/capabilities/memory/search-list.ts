import { setImmediate } from "node:timers/promises"
import type { Category, Database } from "../../../core/capability.ts"
import { matcherOf, type PageRequest, readSearched } from "../../../core/lists.ts"
import type { Projection } from "../../../core/plugin.ts"
import type { ListEntry, LiveList } from "./live-list.ts"
import type { LiveRecords } from "./live-records.ts"

/** The records of a list as a projection lets them through. */
export interface Searched {
  readonly projection: Projection
  /** The number of the projection. */
  readonly number: number
}

/** Records whose texts are not known, as a projection lets `q` search them. */
export interface TextsWanted extends Searched {
  readonly entries: readonly ListEntry[]
}

/** A search needs all keys of a list: so many are read at first, and then as many again as are known, but no more. */
const fewestKeys = 1000
const mostKeys = 10_000

/** Longer lists are not searched in memory. */
const mostSearched = 100_000

/** Texts that one statement reads. */
const portion = 1000

/** Milliseconds of folding after which other requests go on. */
const longestTurn = 5

/**
 * Returns the records of a list that a page asks for and in which every term occurs, as a list. Returns instead what is
 * missing: a number of keys, or texts; undefined if the list is too long.
 */
export function searchList(
  list: LiveList,
  { since, offset, limit, terms, after }: PageRequest,
  { projection, number }: Searched,
): LiveList | number | TextsWanted | undefined {
  const { floor, size } = list
  if (size > mostSearched) return undefined
  if (floor && floor[0] >= since) return Math.min(Math.max(fewestKeys, size), mostKeys)
  const matches = matcherOf(terms)
  const unread: ListEntry[] = []
  // The one more shows that the list goes on. A walk by cursor has no offset that says how many precede.
  const most = after ? Infinity : offset + limit + 1
  const found = list.filter(since, most, (entry) => {
    const text = entry.searched?.[number]
    if (text === undefined) unread.push(entry)
    return text !== undefined && matches(text)
  })
  return unread.length > 0 ? { projection, number, entries: unread } : found
}

/**
 * Reads texts, and keeps them in a list, but not those of records that have changed meanwhile. Ends when `mayGoOn` says
 * so between two portions. @throws {Unavailable}
 */
export async function readTexts(
  database: Database,
  records: LiveRecords,
  category: Category,
  { projection, number, entries }: TextsWanted,
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
