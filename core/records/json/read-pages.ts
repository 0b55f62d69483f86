import type { Compilable } from "kysely"
import type { Columns } from "../../data/columns.ts"
import type { Runnable, Snapshot } from "../../data/database.ts"
import { type ResultRow, valueOf } from "../../data/mysql/raw-row.ts"
import type { Row } from "../compile-record.ts"
import { JsonText } from "./json-text.ts"
import type { ResultRows, WriteRecord } from "./record-writer.ts"
import type { ListResult, Position, PositionedRow } from "../page.ts"
import type { Projection } from "../projection.ts"
import type { CachedRecords } from "../record-cache.ts"

/** A query that has not been sent, for rows that may stay raw. */
type Query<R extends Columns> = Compilable<R> & Runnable<R>

/** A page of a list that has not been read. */
export interface PageQuery {
  readonly projection: Projection
  readonly limit: number
  /** Asks for one row more than `limit`, which shows if the list goes on. */
  readonly query: Query<PositionedRow>
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
  query(ids: readonly string[]): Query<CompanionRow>
}

/** A row that belongs to a record. A record that has none may have a row of nulls, which reads the same. */
export type CompanionRow = Columns & {
  /** The place of the record among the ids, from 1 on. */
  readonly place: number
  readonly kind?: string | null
}

/** Records as JSON: an array, or an object of arrays by name. */
export class EncodedBody {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The number of records. */
  readonly count: number

  constructor(bytes: Uint8Array<ArrayBuffer>, count: number) {
    this.bytes = bytes
    this.count = count
  }

  /** The records as values, for a caller that looks into them. */
  toJSON(): unknown {
    return JSON.parse(new TextDecoder().decode(this.bytes))
  }
}

/**
 * Reads pages of records as projections let them through: an array for a `list`, and for a `bundle` an
 * object with an array for each name. A page without a query is empty.
 *
 * 1. reads the keys of the pages; if few records are likely to be known, the whole rows
 * 2. writes the records that are known by their keys
 * 3. if some are missing, reads their rows, and writes all again: others may have been dropped meanwhile
 *
 * A version of a record stands for one content, and the keys are of the caller's snapshot: so the result is
 * the same as if all were read.
 *
 * All records are read here. This decides if the rows that MySQL sends stay raw, to be written as JSON
 * without becoming JavaScript values. Nothing outside of this folder sees a raw row.
 */
export async function readPages(
  snapshot: Snapshot,
  shape: "list" | "bundle",
  queries: Readonly<Record<string, PageQuery | undefined>>,
): Promise<ListResult> {
  const pages: Page[] = []
  for (const [name, query] of Object.entries(queries)) {
    pages.push(
      query ? await openPage(snapshot, name, query) : pageOf(name, { found: [], limit: 0 }),
    )
  }
  for (;;) {
    const missing = writePages(pages, shape)
    if (missing.every(({ length }) => length === 0)) return takePages(pages)
    for (const [index, page] of pages.entries()) {
      const query = queries[page.name]
      if (query) await readRows(snapshot, page, { query, places: missing[index] ?? [] })
    }
  }
}

/** The keys of a page, and where its records may be known. */
export interface KnownKeys {
  readonly found: readonly ResultRow<PositionedRow>[]
  readonly limit: number
  readonly cached?: CachedRecords | undefined
}

/** Puts pages together whose keys have been read. Returns undefined if a record is not known. */
export function joinKnown(
  shape: "list" | "bundle",
  keys: Readonly<Record<string, KnownKeys>>,
): ListResult | undefined {
  const pages = Object.entries(keys).map(([name, keys]) => pageOf(name, keys))
  const missing = writePages(pages, shape)
  return missing.every(({ length }) => length === 0) ? takePages(pages) : undefined
}

/** A page whose records are looked for. Places are indexes of its rows. */
interface Page {
  readonly name: string
  /** The rows with the keys, or with all columns. */
  readonly rows: readonly ResultRow<PositionedRow>[]
  /** The position of the last record, if more follow. */
  readonly next: Position | undefined
  readonly cached: CachedRecords | undefined
  /** The rows of the records that were read, by place. */
  readonly joined: ResultRows[]
  /** What writes them. Rows that were read later may need another writer. */
  readonly writers: WriteRecord[]
  /** The number of records that were not known. */
  added: number
}

function pageOf(name: string, { found, limit, cached }: KnownKeys): Page {
  const last = found.length > limit ? found[limit - 1] : undefined
  const next = last && [valueOf(last, "updated"), valueOf(last, "id")] as const
  return { name, rows: found.slice(0, limit), next, cached, joined: [], writers: [], added: 0 }
}

async function openPage(snapshot: Snapshot, name: string, query: PageQuery): Promise<Page> {
  if (!query.isWhole) return pageOf(name, { ...query, found: await snapshot.run(query.query) })
  const found = await read(snapshot, query, query.query)
  const page = pageOf(name, { ...query, found })
  await readRows(snapshot, page, { query, places: [...page.rows.keys()], records: page.rows })
  return page
}

/** Runs a query, whose rows stay raw if the projection has a writer for them. */
function read<R extends Columns>(
  { run, runRaw }: Snapshot,
  { projection: { writer } }: PageQuery,
  query: Query<R>,
): Promise<ResultRow<R>[]> {
  return writer ? runRaw(query) : run(query)
}

/** Reads what belongs to the records at some places. `records` are their own rows, if those are there. */
async function readRows(
  snapshot: Snapshot,
  page: Page,
  { query, places, records }: {
    readonly query: PageQuery
    readonly places: readonly number[]
    readonly records?: readonly ResultRow[]
  },
): Promise<void> {
  if (places.length === 0) return
  const { projection: { writer, project }, companions } = query
  // Rows of one shape are faster to go through: each has all relations from the beginning.
  const relations = companions.flatMap(({ relations }) => relations)
  const blank = Object.fromEntries(["record", ...relations].map((name) => [name, undefined]))
  const rows = places.map((_, index): Record<string, ResultRow | undefined> =>
    records ? { ...blank, record: records[index] } : { ...blank }
  )
  const ids = companions.length > 0 ? places.map((place) => idOf(page, place)) : []
  for (const { relations: [only = "", ...others], query: queryOf } of companions) {
    for (const row of await read(snapshot, query, queryOf(ids))) {
      const relation = others.length > 0 ? valueOf(row, "kind") : only
      const joined = rows[valueOf(row, "place") - 1]
      if (relation && joined) joined[relation] = row
    }
  }
  const write: WriteRecord = writer?.(rows) ??
    ((row, text) => text.write(JSON.stringify(project(row as Row))))
  for (const [index, place] of places.entries()) {
    page.joined[place] = rows[index] as ResultRows
    page.writers[place] = write
  }
}

function idOf({ rows }: Page, place: number): string {
  return valueOf(rows[place] as ResultRow<PositionedRow>, "id")
}

function versionOf({ rows }: Page, place: number): number {
  return Number(valueOf(rows[place] as ResultRow<PositionedRow>, "export_version"))
}

/** One for all requests: a text is written and taken without a break. */
const text = new JsonText()

/** Writes pages to `text`. Returns the places of missing records, by page; if there are any, the text is of no use. */
function writePages(pages: readonly Page[], shape: "list" | "bundle"): number[][] {
  text.clear()
  const missing = pages.map((page, index) => {
    if (shape === "bundle") text.write(`${index === 0 ? "{" : ","}${JSON.stringify(page.name)}:`)
    return writePage(page)
  })
  if (shape === "bundle") text.write("}")
  return missing
}

const comma = 0x2c

function writePage(page: Page): number[] {
  const { rows, cached, joined, writers } = page
  const missing: number[] = []
  text.write("[")
  for (let place = 0; place < rows.length; place++) {
    if (place > 0) text.writeLetter(comma)
    const write = writers[place]
    if (write) {
      const start = text.end
      write(joined[place] as ResultRows, text)
      if (cached?.add(idOf(page, place), versionOf(page, place), text.from(start))) page.added++
    } else if (!cached?.write(idOf(page, place), versionOf(page, place), text)) {
      missing.push(place)
    }
  }
  text.write("]")
  return missing
}

/** Takes the pages that have been written. */
function takePages(pages: readonly Page[]): ListResult {
  for (const { cached, rows, added } of pages) {
    cached?.count({ known: rows.length - added, read: added })
  }
  const count = pages.reduce((sum, { rows }) => sum + rows.length, 0)
  const next = Object.fromEntries(pages.flatMap(({ name, next }) => next ? [[name, next]] : []))
  return { body: new EncodedBody(text.take(), count), next }
}
