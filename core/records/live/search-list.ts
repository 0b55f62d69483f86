import { setImmediate } from "node:timers/promises"
import type { Database } from "../../data/database.ts"
import { foldTerms } from "../../data/fold-text.ts"
import { categories, type Category } from "../categories.ts"
import { rowsOf } from "../newest-first.ts"
import type { PageRequest } from "../page.ts"
import type { Projection } from "../projection.ts"
import { hasTerms, searchedText } from "../search.ts"
import type { Entry, LiveList } from "./live-list.ts"

/** Records whose texts are not known, as a projection lets `q` search them. */
export interface TextsWanted {
  readonly projection: Projection
  /** The number of the projection. */
  readonly number: number
  readonly entries: readonly Entry[]
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
  { projection, number }: Pick<TextsWanted, "projection" | "number">,
): LiveList | number | TextsWanted | undefined {
  const { floor, size } = list
  if (size > mostSearched) return undefined
  if (floor && floor[0] >= since) return Math.min(Math.max(fewestKeys, size), mostKeys)
  const folded = foldTerms(terms)
  const unread: Entry[] = []
  // The one more shows that the list goes on. A walk by cursor has no offset that says how many precede.
  const most = after ? Infinity : offset + limit + 1
  const found = list.filter(since, most, (entry) => {
    const text = entry.searched?.[number]
    if (text === undefined) unread.push(entry)
    return text !== undefined && hasTerms(text, folded)
  })
  return unread.length > 0 ? { projection, number, entries: unread } : found
}

/**
 * Reads texts, and keeps them in a list, but not those of records that have changed meanwhile. Ends when `mayGoOn` says
 * so between two portions. @throws {Unavailable}
 */
export async function readTexts(
  database: Database,
  list: LiveList,
  { eventId, category, wanted: { projection: { searched }, number, entries } }: {
    readonly eventId: string
    readonly category: Category
    readonly wanted: TextsWanted
  },
  mayGoOn: () => boolean,
): Promise<void> {
  for (let start = 0; start < entries.length; start += portion) {
    if (!mayGoOn()) return
    const some = entries.slice(start, start + portion)
    const rows = await database.readOnce((reader) =>
      reader.run(rowsOf(reader, eventId, {
        tables: { [`${categories[category]} as record`]: "id" },
        columns: [...searched, "record.export_version"],
        ids: some.map(({ id }) => id),
      }))
    )
    let began = performance.now()
    for (const row of rows) {
      if (performance.now() - began > longestTurn) {
        await setImmediate()
        began = performance.now()
      }
      const entry = some[row.place - 1] as Entry
      const isSame = row["export_version"] === entry.version
      if (isSame) list.keep(entry, "searched", number, searchedText(row, searched))
    }
  }
}
