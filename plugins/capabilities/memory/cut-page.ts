import type { Category } from "../../../core/capability.ts"
import { type FindPage, type PageRequest, rankOf, walkLifetime } from "../../../core/lists.ts"
import type { Projection } from "../../../core/plugin.ts"
import { type ListEntry, LiveList, type Slice } from "./live-list.ts"
import type { LiveRecords } from "./live-records.ts"
import { searchList, type SearchScope, type TextRequest } from "./search-list.ts"

/** The records of a page as JSON. */
type LivePage = Omit<NonNullable<Awaited<ReturnType<FindPage>>>, "admission">

/** What lists must know before a page can be cut from them. */
export interface Shortage {
  readonly category: Category
  /** The number of missing keys after the known ones; 0 if none are missing. */
  readonly keys: number
  readonly vacancies: boolean
  /** The texts that `q` has to search. */
  readonly texts?: TextRequest | undefined
}

/** A part of a page: records of a category in a projection. */
export interface CutPart extends Slice, SearchScope {
  readonly category: Category
}

/**
 * Cuts the parts of a page from lists. If they know too little, returns what they must know first; undefined if the page
 * begins so far beyond the known records that it should be read by itself.
 */
export function cutParts(
  records: LiveRecords,
  projections: Readonly<Partial<Record<Category, Projection>>>,
  page: PageRequest,
  now: number,
): { readonly parts: readonly CutPart[]; readonly shortages: readonly Shortage[] } | undefined {
  const { after, category: only, terms } = page
  const parts: CutPart[] = []
  const shortages: Shortage[] = []
  for (const [name, projection] of Object.entries(projections)) {
    const category = name as Category
    const known = records.list(category)
    const basis = { category, projection, number: records.numberOf(projection) }
    const position = after?.[category]
    const isClosed = (only && only !== category) || (after && !position)
    if (isClosed) {
      parts.push({ ...basis, entries: [], next: undefined })
      continue
    }
    const list = terms.length === 0 ? known : searchList(known, page, basis)
    if (!list) return undefined
    if (!(list instanceof LiveList)) {
      const isKeys = typeof list === "number"
      const missing = isKeys ? { keys: list } : { keys: 0, texts: list }
      shortages.push({ category, vacancies: false, ...missing })
      continue
    }
    if (position && list.floor && !list.isKnownAt(position)) return undefined
    const cut = position
      ? list.slice(list.countOlder(position), page.since, page.limit) ?? page.limit + 1
      : cutAt(list, page, now)
    if (cut === "vacancies" || typeof cut === "number") {
      const keys = cut === "vacancies" ? 0 : cut
      shortages.push({ category, keys, vacancies: cut === "vacancies" })
    } else parts.push({ ...basis, ...cut })
  }
  return { parts, shortages }
}

/** Cuts at an offset; or returns what is missing: `vacancies`, or a number of keys. */
function cutAt(
  list: LiveList,
  { offset, since, limit }: PageRequest,
  now: number,
): Slice | number | "vacancies" {
  const missing = Math.max(0, offset + limit + 1 - list.size) || limit + 1
  if (offset === 0) return list.slice(list.size, since, limit) ?? missing
  const { entries, vacancies, floor } = list
  if (!vacancies) return "vacancies"
  const isAll = !floor || floor[0] < since
  if (!isAll && list.size <= offset) return missing
  const gone = vacancies
    .filter(({ time, at }) => time >= since && at >= now - walkLifetime)
    .slice(0, offset)
  const end = Math.min(offset, list.size - list.countOlder([since, ""]))
  const start = Math.min(end, Math.max(0, offset - gone.length))
  const keyOf = (index: number) => entries[entries.length - 1 - start - index] as ListEntry
  const rank = rankOf(offset, gone, { start, count: end - start, keyOf })
  return list.slice(list.size - rank, since, limit) ?? missing
}

/** Records of a part of a page whose JSON is not known. */
export interface Unknown {
  readonly part: CutPart
  readonly entries: readonly ListEntry[]
}

/** Returns the records of a page whose JSON is not known. */
export function findUnknown(parts: readonly CutPart[]): Unknown[] {
  return parts.flatMap((part) => {
    const entries = part.entries.filter((entry) => entry.json?.[part.number] === undefined)
    return entries.length > 0 ? [{ part, entries }] : []
  })
}

/** Makes a page from its parts. The JSON of all its records must be known. */
export function pageOf(parts: readonly CutPart[]): LivePage {
  const next = Object.fromEntries(
    parts.flatMap(({ category, next }) => next ? [[category, next]] : []),
  )
  const ends = parts.flatMap(({ entries }) => [entries[0], entries.at(-1)])
  const times = ends.flatMap((entry) => entry?.time ?? [])
  const span = { oldest: Math.min(...times), newest: Math.max(...times) }
  return { parts: parts.map(textsOf), next, ...times.length > 0 && { span } }
}

/** Returns the JSON of a part's records, newest first. */
function textsOf({ category, entries, number }: CutPart): LivePage["parts"][number] {
  const count = entries.length
  const texts = new Array<string>(count)
  for (const [index, { json }] of entries.entries()) {
    texts[count - 1 - index] = json?.[number] as string
  }
  return { name: category, texts, count }
}
