import { walkLifetime } from "../../change-log/walk-lifetime.ts"
import type { Category } from "../categories.ts"
import { JsonText } from "../json-text.ts"
import { type ListResult, type PageRequest, type Position, spanOf } from "../page.ts"
import type { Projection } from "../projection.ts"
import { EncodedBody, type Shape } from "../read-pages.ts"
import type { CachedRecords } from "../record-cache.ts"
import { rankOf } from "../stable-offset.ts"
import { type Entry, LiveList, type Slice } from "./live-list.ts"
import type { LiveRecords } from "./live-records.ts"
import { searchList, type TextsWanted } from "./search-list.ts"

/** A list, or a bundle of lists by category, as one projection each lets it through. */
export interface LiveShape {
  readonly isBundle: boolean
  readonly projections: Readonly<Partial<Record<Category, Projection>>>
}

/** What lists must know before a page can be cut from them. */
export interface Shortage {
  readonly category: Category
  /** The number of keys behind the known ones; 0 if none are missing. */
  readonly keys: number
  readonly vacancies: boolean
  /** The texts that `q` has to search. */
  readonly texts?: TextsWanted | undefined
}

/** A part of a page: the records of a category, and where they are kept. */
export interface CutPart extends Slice {
  readonly category: Category
  readonly projection: Projection
  readonly cached: CachedRecords
  /** The number of the projection. */
  readonly number: number
}

/**
 * Cuts the parts of a page from lists. Returns what they must know first, if they know too little; undefined if the page
 * begins so far behind what is known that it should be read by itself.
 */
export function cutParts(
  records: LiveRecords,
  { projections }: LiveShape,
  page: PageRequest,
  now: number,
): { readonly parts: readonly CutPart[]; readonly shortages: readonly Shortage[] } | undefined {
  const { cached, after, category: only, terms } = page
  if (!cached) return undefined
  const parts: CutPart[] = []
  const shortages: Shortage[] = []
  for (const [name, projection] of Object.entries(projections)) {
    const category = name as Category
    const known = records.list(category)
    const basis = {
      category,
      projection,
      cached: cached(projection),
      number: records.numberOf(projection),
    }
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

/** Cuts at an offset. Returns instead what is missing: `vacancies`, or a number of keys. */
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
  const keyOf = (index: number) => entries[entries.length - 1 - start - index] as Entry
  const rank = rankOf(offset, gone, { start, count: end - start, keyOf })
  return list.slice(list.size - rank, since, limit) ?? missing
}

/** A record of a page that is not known. */
export interface Missing {
  readonly part: CutPart
  readonly entry: Entry
}

/** Returns the JSON of a record that is not kept; undefined if it must be read. */
type FindJson = (missing: Missing) => string | undefined

/** One for all requests: a text is written and taken without a break. */
const text = new JsonText()
const comma = 0x2c
const opening = 0x5b
const closing = 0x5d
const lineFeed = 0x0a

/** Writes a page. Returns instead the records that are not known. */
export function writeParts(
  parts: readonly CutPart[],
  shape: Shape,
  jsonOf: FindJson,
): ListResult | readonly Missing[] {
  const missing: Missing[] = []
  text.clear()
  for (const [index, part] of parts.entries()) {
    if (shape === "bundle") {
      text.write(`${index === 0 ? "{" : ","}${JSON.stringify(part.category)}:`)
    }
    const before = missing.length
    const read = writePart(part, shape, { missing, jsonOf })
    const known = part.entries.length - read
    if (missing.length === before) part.cached.count({ known, read })
  }
  if (shape === "bundle") text.write("}")
  return missing.length > 0 ? missing : takeParts(parts)
}

/** Writes records, newest first. Returns how many had to be read. */
function writePart(
  part: CutPart,
  shape: Shape,
  { missing, jsonOf }: { readonly missing: Missing[]; readonly jsonOf: FindJson },
): number {
  const { category, entries, cached, number } = part
  const isArray = shape === "list" || shape === "bundle"
  const start = shape === "named lines" ? `{"category":${JSON.stringify(category)}` : ""
  let read = 0
  if (isArray) text.writeLetter(opening)
  for (let index = entries.length - 1; index >= 0; index--) {
    const entry = entries[index] as Entry
    const place = entry.places[number]
    if (start) text.write(start)
    const begin = text.end
    if (!(place !== undefined && cached.copy(place, text) || writeKept(part, entry))) {
      const json = jsonOf({ part, entry })
      if (json === undefined) {
        missing.push({ part, entry })
        continue
      }
      text.write(json)
      cached.add(entry.id, entry.version, text.from(begin))
      read++
    }
    // The fields of the record follow the category.
    if (start) text.replaceLetter(begin, comma)
    text.writeLetter(isArray ? comma : lineFeed)
    text.endRecord(entry.id)
  }
  if (isArray && entries.length > 0) text.replaceLetter(text.end - 1, closing)
  else if (isArray) text.writeLetter(closing)
  return read
}

/** Writes a record that is kept at a place that is not known yet. Returns false if it is not kept. */
function writeKept({ cached, number }: CutPart, entry: Entry): boolean {
  const place = cached.find(entry.id, entry.version)
  if (place === undefined) return false
  entry.places[number] = place
  return cached.copy(place, text)
}

function takeParts(parts: readonly CutPart[]): ListResult {
  const count = parts.reduce((sum, { entries }) => sum + entries.length, 0)
  const next: Record<string, Position> = {}
  for (const part of parts) if (part.next) next[part.category] = part.next
  const ends = parts.flatMap(({ entries }) => [entries[0], entries.at(-1)])
  const span = spanOf(ends.map((entry) => entry && { updated: entry.time }))
  return { body: new EncodedBody(text.take(), count), next, ...span }
}
