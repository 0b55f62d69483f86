import {
  beginning,
  type Category,
  countRecords,
  encodeBody,
  type LeftOut,
  type List,
  type PageRequest,
  type Position,
  type Positions,
  type Scope,
  type Snapshot,
} from "../../../core/capability.ts"

/** Records that are read at a time. */
const portionSize = 1000

/** Consecutive records of a list. */
export interface Portion {
  /** A line of JSON per record. */
  readonly lines: Uint8Array
  readonly rows: number
  readonly leftOut: readonly LeftOut[]
  /** Where each part of the list goes on after it; a part that has ended is missing. */
  readonly next: Positions
}

/**
 * Reads a list in one snapshot: the parts of a bundle one after the other, each newest first, up to `page.limit`
 * records together. No portion is empty, unless it leaves records out.
 */
export async function* readPortions(
  snapshot: Snapshot,
  { list, scope, page }: {
    readonly list: List
    readonly scope: Scope
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
    const portion = { ...page, offset: 0, limit, after, asLines: true } as const
    const { body, next, leftOut = [] } = await list.read(snapshot, scope, portion)
    if (next[name]) open.set(name, next[name])
    else open.delete(name)
    const rows = countRecords(body)
    left -= rows
    if (rows + leftOut.length === 0) continue
    yield { lines: encodeBody(body), rows, leftOut, next: Object.fromEntries(open) }
  }
}

/** Returns where each part begins or goes on, in the order in which they are read. */
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
