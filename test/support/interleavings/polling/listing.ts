import type { Design } from "./design.ts"
import type { ModelRecord, Tables } from "./tables.ts"

/** Where a page begins: at a position, or behind a record. */
export type Place = { readonly offset: number } | { readonly after: ModelRecord }

/** The records of a page. */
export interface Listed {
  readonly records: readonly ModelRecord[]
  readonly hasNext: boolean
}

type Compare = (a: ModelRecord, b: ModelRecord) => number

const newest: Compare = (a, b) => b.updated - a.updated || b.id - a.id
const orders = ["newest first", "oldest first", "by id"] as const
const comparisons: Record<Design["order"], Compare> = {
  "newest first": newest,
  "oldest first": (a, b) => a.updated - b.updated || a.id - b.id,
  "by id": (a, b) => a.id - b.id,
}

/** Lists a page of the committed records. */
export function listRecords(
  tables: Tables,
  { design, since, now, place, limit }: {
    readonly design: Design
    readonly since: number
    readonly now: number
    readonly place: Place
    readonly limit: number
  },
): Listed {
  const { order, hides } = design
  const compare = comparisons[order]
  const until = hides === undefined ? Infinity : now - hides
  const all = tables.sorted(orders.indexOf(order), compare)
  const listed = all.filter(({ updated }) => updated >= since && updated <= until)
  const start = "offset" in place
    ? place.offset - (design.keepsPositions ? goneBefore(tables, since, listed, place.offset) : 0)
    : startAfter(listed, place.after, compare)
  return {
    records: listed.slice(start, start + limit),
    hasNext: listed.length > start + limit,
  }
}

function startAfter(listed: readonly ModelRecord[], last: ModelRecord, compare: Compare): number {
  const start = listed.findIndex((record) => compare(record, last) > 0)
  return start < 0 ? listed.length : start
}

/** Counts the deleted records whose positions are before the first existing record from an offset on. */
function goneBefore(
  tables: Tables,
  since: number,
  listed: readonly ModelRecord[],
  offset: number,
): number {
  if (offset === 0) return 0
  const gone: ModelRecord[] = []
  for (const { openBy, before, after } of tables.log) {
    if (openBy === undefined && !after && before && before.updated >= since) gone.push(before)
  }
  if (gone.length === 0) return 0
  gone.sort(newest)
  let newer = 0
  for (const [rank, record] of listed.entries()) {
    while (newer < gone.length && newest(gone[newer] as ModelRecord, record) < 0) newer++
    if (rank + newer >= offset) return offset - rank
  }
  return offset - listed.length
}

/** Lists the deletions since a time, latest first, without those that exist again. */
export function listDeletions(tables: Tables, since: number): readonly ModelRecord[] {
  const deletions: ModelRecord[] = []
  for (const { openBy, id, at, after } of tables.log) {
    if (openBy === undefined && !after && at >= since && !tables.records[id]) {
      deletions.unshift({ id, updated: at, value: -1 })
    }
  }
  return deletions
}
