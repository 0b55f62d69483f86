import type { Columns } from "../data/table.ts"
import type { Runnable, Snapshot } from "../data/database.ts"
import type { Body, Slab } from "../http/slabs.ts"
import { JsonText } from "./json-text.ts"
import { isId, type ListResult, type Position, type PositionedRow, spanOf } from "./page.ts"
import type { Projection, Row } from "./projection.ts"
import type { CachedRecords } from "./record-cache.ts"

/** A page of a list that has not been read. */
export interface PageQuery {
  readonly projection: Projection
  readonly limit: number
  /** Asks for one row more than `limit`, which shows if the list goes on. */
  readonly query: Runnable<PositionedRow>
  /** What else belongs to the records, such as their consents. */
  readonly companions: readonly Companion[]
  /** Where to look for the records, and to keep them: by `export_version`, which `query` has then. */
  readonly cached?: CachedRecords | undefined
  /** True if `query` has all columns; else it has keys, and one of the companions is the record itself. */
  readonly isWhole: boolean
}

/** Rows of some table that belong to records. */
export interface Companion {
  /** The relations that the rows may be of. If there are several, the column `kind` has the name. */
  readonly relations: readonly string[]
  /** Returns the query of the rows that belong to the records with these ids. */
  query(ids: readonly string[]): Runnable<CompanionRow>
  /** Makes the row of a record from what the query returned; left out, it is the same. */
  rowOf?(found: CompanionRow): CompanionRow
}

/** A row that belongs to a record. A record that has none may have a row of nulls, which reads the same. */
export type CompanionRow = Columns & {
  /** The place of the record among the ids, from 1 on. */
  readonly place: number
  readonly kind?: string | null
}

/**
 * How pages become a text: an array of a list's records, an object of arrays by name for a bundle, or a line per
 * record, which of a bundle begins with the name as `category`.
 */
export type Shape = "list" | "bundle" | "lines" | "named lines"

/** Records as JSON, in one of the shapes. */
export class EncodedBody implements Body {
  readonly bytes: Body["bytes"]
  readonly slab: Slab | undefined
  /** The number of records. */
  readonly count: number

  constructor({ bytes, slab }: Body, count: number) {
    this.bytes = bytes
    this.slab = slab
    this.count = count
  }

  /** The records as values, for a caller that looks into them. Not of lines. */
  toJSON(): unknown {
    return JSON.parse(new TextDecoder().decode(this.bytes))
  }
}

/**
 * Reads pages of records as projections let them through. A page without a query is empty.
 *
 * 1. reads the keys of the pages; if few records are likely to be known, the whole rows
 * 2. writes the records that are known by their keys
 * 3. if some are missing, reads their rows, and writes all again: others may have been dropped meanwhile
 *
 * A version of a record stands for one content, and the keys are of the caller's snapshot: so the result is
 * the same as if all were read. Rows whose id is no UUID are left out.
 */
export async function readPages(
  snapshot: Snapshot,
  shape: Shape,
  queries: Readonly<Record<string, PageQuery | undefined>>,
): Promise<ListResult> {
  const pages: Page[] = []
  for (const [name, query] of Object.entries(queries)) {
    const found = query ? await snapshot.run(query.query) : []
    const page = pageOf(name, { limit: 0, ...query, found })
    if (query?.isWhole) await readRecords(snapshot, page, query, [...page.rows.keys()])
    pages.push(page)
  }
  for (;;) {
    const missing = writePages(pages, shape)
    if (!missing) return takePages(pages)
    for (const [index, page] of pages.entries()) {
      const query = queries[page.name]
      if (query) await readRecords(snapshot, page, query, missing[index] ?? [])
    }
  }
}

/** The keys of a page, and where its records may be known. */
export interface KnownKeys {
  readonly found: readonly PositionedRow[]
  readonly limit: number
  readonly cached?: CachedRecords | undefined
}

/** A page whose records are looked for. Places are indexes of its rows. */
interface Page {
  readonly name: string
  /** The rows with the keys, or with all columns. */
  readonly rows: readonly PositionedRow[]
  /** The position of the last record, if more follow. */
  readonly next: Position | undefined
  readonly cached: CachedRecords | undefined
  /** The records that were read, as JSON, by place. Rows take several times the memory. */
  readonly read: string[]
  /** The number of records that were written, and of those, that were not known. */
  written: number
  added: number
}

function pageOf(name: string, { found, limit, cached }: KnownKeys): Page {
  const last = found.length > limit ? found[limit - 1] : undefined
  const next = last && [last.updated, last.id] as const
  return { name, rows: found.slice(0, limit), next, cached, read: [], written: 0, added: 0 }
}

/** Reads and encodes the records at some places. */
async function readRecords(
  { run }: Snapshot,
  { rows, read }: Page,
  { projection, companions, isWhole }: PageQuery,
  places: readonly number[],
): Promise<void> {
  if (places.length === 0) return
  // Rows of one shape are faster to go through: each has all relations from the beginning.
  const relations = companions.flatMap(({ relations }) => relations)
  const blank = Object.fromEntries(["record", ...relations].map((name) => [name, undefined]))
  const joined = places.map((place): Record<string, Columns | undefined> =>
    isWhole ? { ...blank, record: rows[place] } : { ...blank }
  )
  const ids = places.map((place) => (rows[place] as PositionedRow).id)
  for (const { relations: [only = "", ...others], query, rowOf } of companions) {
    for (const found of await run(query(ids))) {
      const row = rowOf ? rowOf(found) : found
      const relation = others.length > 0 ? row.kind : only
      const record = joined[row.place - 1]
      if (relation && record) record[relation] = row
    }
  }
  for (const [index, place] of places.entries()) {
    read[place] = JSON.stringify(projection.project(joined[index] as Row))
  }
}

/** One for all requests: a text is written and taken without a break. */
const text = new JsonText()

/** Writes pages to `text`. If records are missing, the text is of no use: returns their places, by page. */
function writePages(pages: readonly Page[], shape: Shape): number[][] | undefined {
  text.clear()
  const missing = pages.map((page, index) => {
    if (shape === "bundle") text.write(`${index === 0 ? "{" : ","}${JSON.stringify(page.name)}:`)
    return writePage(page, shape)
  })
  if (shape === "bundle") text.write("}")
  return missing.some(({ length }) => length > 0) ? missing : undefined
}

const comma = 0x2c
const closing = 0x5d
const lineFeed = 0x0a

function writePage(page: Page, shape: Shape): number[] {
  const { name, rows, cached, read } = page
  const isArray = shape === "list" || shape === "bundle"
  const start = shape === "named lines" ? `{"category":${JSON.stringify(name)}` : undefined
  const missing: number[] = []
  page.written = 0
  if (isArray) text.write("[")
  for (const [place, { id, export_version }] of rows.entries()) {
    const json = read[place]
    // What is known has been checked.
    if ((json !== undefined || start !== undefined) && !isId(id)) continue
    if (start !== undefined) text.write(start)
    const begin = text.end
    const version = Number(export_version)
    if (json !== undefined) {
      text.write(json)
      if (cached?.add(id, version, text.from(begin))) page.added++
    } else if (!cached?.write(id, version, text)) {
      if (isId(id)) missing.push(place)
      continue
    }
    page.written++
    // The fields of the record follow the category.
    if (start !== undefined) text.replaceLetter(begin, comma)
    text.writeLetter(isArray ? comma : lineFeed)
  }
  if (isArray && page.written > 0) text.replaceLetter(text.end - 1, closing)
  else if (isArray) text.writeLetter(closing)
  return missing
}

/** Takes the pages that have been written. */
function takePages(pages: readonly Page[]): ListResult {
  for (const { cached, written, added } of pages) {
    cached?.count({ known: written - added, read: added })
  }
  const count = pages.reduce((sum, { written }) => sum + written, 0)
  const leftOut = pages.reduce((sum, { rows, written }) => sum + rows.length - written, 0)
  const next = Object.fromEntries(pages.flatMap(({ name, next }) => next ? [[name, next]] : []))
  const ends = pages.flatMap(({ rows }) => [rows[0], rows.at(-1)])
  return { body: new EncodedBody(text.take(), count), next, leftOut, ...spanOf(ends) }
}
