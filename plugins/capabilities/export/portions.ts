import type { Category, List, OmittedRecord, Snapshot } from "../../../core/capability.ts"
import { beginning, type PageRequest, type Position, readLines } from "../../../core/lists.ts"

/** The number of records to read at a time. */
const portionSize = 1000

/** Consecutive records of a list. */
export interface Portion {
  /** A line of JSON per record. */
  readonly lines: Uint8Array
  readonly rows: number
  readonly leftOut: readonly OmittedRecord[]
  /** Where each part of the list continues after it, without the parts that have ended. */
  readonly next: Readonly<Record<string, Position>>
}

/**
 * Reads a list in one snapshot: the parts of a bundle one after another, each newest first, up to `page.limit` records
 * in total. A portion may be empty because it left records out.
 */
export async function* readPortions(
  snapshot: Snapshot,
  { list, scope, page }: {
    readonly list: List
    readonly scope: Parameters<typeof readLines>[2]
    readonly page: PageRequest
  },
): AsyncGenerator<Portion> {
  const open = openParts(list, page)
  let left = page.limit
  while (left > 0) {
    const [part] = open
    if (!part) return
    const [name, position] = part
    const limit = Math.min(left, portionSize)
    const after = { [name]: position }
    const portion = { ...page, offset: 0, limit, after }
    const { lines, rows, next, leftOut = [] } = await readLines(list, snapshot, scope, portion)
    if (next[name]) open.set(name, next[name])
    else open.delete(name)
    left -= rows
    if (rows + leftOut.length === 0) continue
    yield { lines, rows, leftOut, next: Object.fromEntries(open) }
  }
}

/** Returns where each part begins or continues, in reading order. */
function openParts(
  { categories = [] }: List,
  { after, category }: PageRequest,
): Map<Category, Position> {
  return new Map(
    categories
      .filter((name) => after ? after[name] : !category || category === name)
      .map((name) => [name, after?.[name] ?? beginning]),
  )
}
