import type { Columns } from "../data/table.ts"
import type { Runnable, Snapshot } from "../data/database.ts"
import type { Body, Slab } from "../http/slabs.ts"
import { JsonText, type Text } from "./json-text.ts"
import {
  isId,
  type LeftOut,
  type ListResult,
  type Position,
  type PositionedRow,
  spanOf,
  wrongId,
} from "./page.ts"
import type { Projection, Row } from "./projection.ts"
import type { CachedRecords } from "./record-cache.ts"
import { WrongValue } from "./values.ts"

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
  /** The relations that every row is of. */
  readonly relations: readonly string[]
  /** Others that a row may be of: its column `kind` has the name. */
  readonly kinds?: readonly string[]
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
export class EncodedBody implements Text {
  readonly bytes: Body["bytes"]
  readonly slab: Slab | undefined
  readonly borders: Text["borders"]
  readonly count: number

  constructor({ bytes, slab, borders }: Text, count: number) {
    this.bytes = bytes
    this.slab = slab
    this.borders = borders
    this.count = count
  }

  /** The records as values, for a caller that looks into them. Not of lines. */
  toJSON(): unknown {
    return JSON.parse(new TextDecoder().decode(this.bytes))
  }
}

/**
 * Reads pages of records as projections let them through, one after the other. A page without a query is empty.
 *
 * 1. reads the keys of the page; if few records are likely to be known, the whole rows
 * 2. writes the records that are known by their keys
 * 3. if some are missing, reads their rows, and writes all again: others may have been dropped meanwhile
 *
 * A version of a record stands for one content, and the keys are of the caller's snapshot: so the result is
 * the same as if all were read. Rows whose id is no UUID are left out, and those of which a column holds what its field
 * cannot be: no record holds up others.
 */
export async function readPages(
  snapshot: Snapshot,
  shape: Shape,
  queries: Readonly<Record<string, PageQuery | undefined>>,
): Promise<ListResult> {
  const pages: WrittenPage[] = []
  for (const [name, query] of Object.entries(queries)) {
    pages.push(await readPage(snapshot, { shape, name, query }))
  }
  for (const { cached, written, added } of pages) {
    cached?.count({ known: written - added, read: added })
  }
  const next = Object.fromEntries(pages.flatMap(({ name, next }) => next ? [[name, next]] : []))
  const span = spanOf(pages.flatMap(({ ends }) => ends))
  const count = pages.reduce((sum, { written }) => sum + written, 0)
  const body = new EncodedBody(joinBodies(pages, shape), count)
  return { body, next, leftOut: pages.flatMap(({ leftOut }) => leftOut), ...span }
}

async function readPage(
  snapshot: Snapshot,
  { shape, name, query }: {
    readonly shape: Shape
    readonly name: string
    readonly query: PageQuery | undefined
  },
): Promise<WrittenPage> {
  const page = pageOf(name, query, query ? await snapshot.run(query.query) : [])
  if (query?.isWhole) await readRecords(snapshot, page, query, [...page.rows.keys()])
  for (;;) {
    const missing = writePage(page, shape)
    if (missing.length === 0 || !query) return takePage(page)
    await readRecords(snapshot, page, query, missing)
  }
}

/** A page whose records are looked for. Places are indexes of its rows. */
interface Page {
  readonly name: string
  /** The rows with the keys, or with all columns. */
  readonly rows: readonly PositionedRow[]
  /** The position of the last record, if more follow. */
  readonly next: Position | undefined
  readonly cached: CachedRecords | undefined
  /** What the records are made of that were read, by place. */
  readonly read: Row[]
  readonly project: (row: Row) => unknown
  leftOut: LeftOut[]
  /** The number of records that were written, and of those, that were not known. */
  written: number
  added: number
}

function pageOf(name: string, query: PageQuery | undefined, found: readonly PositionedRow[]): Page {
  const { limit = 0, cached } = query ?? {}
  const last = found.length > limit ? found[limit - 1] : undefined
  const next = last && [last.updated, last.id] as const
  const project = (row: Row) => query?.projection.project(row)
  const rows = found.slice(0, limit)
  return { name, rows, next, cached, project, leftOut: [], read: [], written: 0, added: 0 }
}

async function readRecords(
  snapshot: Snapshot,
  { rows, read }: Page,
  { companions, isWhole }: PageQuery,
  places: readonly number[],
): Promise<void> {
  if (places.length === 0) return
  const idOf = (place: number) => (rows[place] as PositionedRow).id
  // Neighbours in an index are found faster one after the other.
  const sorted = companions.length === 0
    ? places
    : places.toSorted((a, b) => idOf(a) < idOf(b) ? -1 : 1)
  const joined = await joinRows(snapshot, sorted.map(idOf), companions)
  for (const [index, place] of sorted.entries()) {
    const row = joined[index] as JoinedRow
    if (isWhole) row["record"] = rows[place]
    read[place] = row
  }
}

/** The rows of a record by relation, while they are read. */
type JoinedRow = Record<string, Columns | undefined>

/** Reads the rows that belong to records with some ids, and returns them by relation for each id. */
export async function joinRows(
  { run }: Snapshot,
  ids: readonly string[],
  companions: readonly Companion[],
): Promise<JoinedRow[]> {
  // Rows of one shape are faster to go through: each has all relations from the beginning.
  const names = companions.flatMap(({ relations, kinds = [] }) => [...relations, ...kinds])
  const blank = Object.fromEntries(["record", ...names].map((name) => [name, undefined]))
  const joined = ids.map((): JoinedRow => ({ ...blank }))
  for (const { relations, kinds, query, rowOf } of companions) {
    for (const found of await run(query(ids))) {
      const row = rowOf ? rowOf(found) : found
      const record = joined[row.place - 1]
      if (!record) continue
      for (const relation of relations) record[relation] = row
      if (kinds && row.kind) record[row.kind] = row
    }
  }
  return joined
}

const comma = 0x2c
const closing = 0x5d
const lineFeed = 0x0a

/** One for all requests: a text is written and taken without a break. */
const text = new JsonText()

/** Writes a page to `text`. If records are missing, that is of no use: returns their places. */
function writePage(page: Page, shape: Shape): number[] {
  const { name, rows, cached, read } = page
  const isArray = shape === "list" || shape === "bundle"
  text.clear()
  if (isArray && !cached && read.length === rows.length) return writeAtOnce(page)
  const start = shape === "named lines" ? `{"category":${JSON.stringify(name)}` : undefined
  const missing: number[] = []
  page.written = 0
  page.leftOut = []
  if (isArray) text.write("[")
  for (const [place, { id, export_version }] of rows.entries()) {
    const row = read[place]
    // What is known has been checked.
    const record = row && projectOrNote(page, id, row)
    if (row !== undefined && record === undefined) continue
    if (start !== undefined && !isId(id)) {
      page.leftOut.push(wrongId)
      continue
    }
    if (start !== undefined) text.write(start)
    const begin = text.end
    const version = Number(export_version)
    if (record !== undefined) {
      text.write(JSON.stringify(record))
      if (cached?.add(id, version, text.from(begin))) page.added++
    } else if (!cached?.write(id, version, text)) {
      if (isId(id)) missing.push(place)
      else page.leftOut.push(wrongId)
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

/** Writes an array of records that were all read, and that are not kept one by one. */
function writeAtOnce(page: Page): [] {
  const { rows, read } = page
  page.leftOut = []
  const records = read.flatMap((row, place) => {
    const { id } = rows[place] as PositionedRow
    return projectOrNote(page, id, row) ?? []
  })
  text.write(JSON.stringify(records))
  page.written = records.length
  return []
}

/** Makes a record. Notes it, and returns undefined, if it is left out. */
function projectOrNote({ project, leftOut }: Page, id: string, row: Row): unknown {
  try {
    if (isId(id)) return project(row)
    leftOut.push(wrongId)
  } catch (error) {
    if (!(error instanceof WrongValue)) throw error
    leftOut.push({ id, column: error.column })
  }
  return undefined
}

/** A page in one piece, without its rows, which take several times the memory. */
interface WrittenPage
  extends Pick<Page, "name" | "next" | "cached" | "leftOut" | "written" | "added"> {
  readonly body: Text
  /** The first row and the last one. */
  readonly ends: readonly (PositionedRow | undefined)[]
}

function takePage({ name, next, cached, leftOut, written, added, rows }: Page): WrittenPage {
  const ends = [rows[0], rows.at(-1)]
  return { name, next, cached, leftOut, written, added, ends, body: text.take() }
}

function joinBodies(pages: readonly WrittenPage[], shape: Shape): Text {
  const [first] = pages
  if (first && pages.length === 1 && shape !== "bundle") return first.body
  text.clear()
  for (const [index, { name, body: { bytes, slab } }] of pages.entries()) {
    if (shape === "bundle") text.write(`${index === 0 ? "{" : ","}${JSON.stringify(name)}:`)
    text.append(bytes)
    slab?.giveBack()
  }
  if (shape === "bundle") text.write("}")
  return text.take()
}
