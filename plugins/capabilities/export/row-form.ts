import { csv, type List, type ListPart, recordsOf, sha256 } from "../../../core/capability.ts"
import { type Choice, chooseType } from "./accept.ts"
import { cellIn, type Column, columnsOf } from "./columns.ts"

/** A record as a row; in a bundle, `category` is its first field. */
type Row = Readonly<Record<string, unknown>>

/** A form of a list in which each record is a row. */
export interface RowForm {
  readonly contentType: string
  /** The ending of file names. */
  readonly extension: "ndjson" | "csv"
  /** Tells the form, with its columns, from all other forms of the list; letters, digits and hyphens. */
  readonly tag: string
  /** What comes before the rows. */
  readonly head: string
  /** Writes rows. */
  write(rows: readonly Row[]): string
}

/** The media types of lists. The first is the one for clients that do not choose. */
const types = ["application/json", "application/x-ndjson", "text/csv"] as const
/** The media types of exports. */
const rowTypes = ["application/x-ndjson", "text/csv"] as const

/** What a request says about the form of its rows. */
export interface RowRequest {
  /** The header `Accept`. */
  readonly accept: string | null
  /** The only category of the rows; empty if there may be any. */
  readonly category?: string | undefined
}

/** Returns the form of rows that a client prefers; undefined for JSON, and for lists that have no records. */
export function rowFormOf(list: List, { accept, category }: RowRequest): RowForm | undefined {
  if (list.parts.length === 0) return undefined
  const { type, parameters } = chooseType(accept, types)
  return type === "application/json" ? undefined : formOf(list, { type, parameters }, category)
}

/** Returns the form of rows that a client prefers, which is NDJSON unless it prefers CSV. */
export function exportFormOf(list: List, { accept, category }: RowRequest): RowForm {
  return formOf(list, chooseType(accept, rowTypes), category)
}

/** Returns the rows of the body of a list. */
export function rowsOf({ parts }: List, body: unknown): Row[] {
  return parts.flatMap((part) => {
    const records = recordsOf(body, part)
    return part.name === undefined
      ? records
      : records.map((record) => ({ category: part.name, ...record }))
  })
}

function formOf(
  list: List,
  { type, parameters }: Choice<(typeof rowTypes)[number]>,
  category = "",
): RowForm {
  if (type === "application/x-ndjson") return ndjson
  const isHeadless = parameters["header"] === "absent"
  const hasMark = parameters["bom"] === "true"
  const known = forms.get(list) ?? new Map<string, RowForm>()
  forms.set(list, known)
  const key = [category, isHeadless, hasMark].join()
  const form = known.get(key) ?? csvForm(list, { category, isHeadless, hasMark })
  known.set(key, form)
  return form
}

const forms = new WeakMap<List, Map<string, RowForm>>()

/** A line of JSON per record. */
const ndjson: RowForm = {
  contentType: "application/x-ndjson",
  extension: "ndjson",
  tag: "ndjson",
  head: "",
  write: (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(""),
}

/** The byte order mark, by which spreadsheets know UTF-8. */
const byteOrderMark = "\ufeff"

function csvForm(
  { parts }: List,
  { category, isHeadless, hasMark }: {
    readonly category: string
    readonly isHeadless: boolean
    readonly hasMark: boolean
  },
): RowForm {
  const columns = columnsOfRows(parts.filter(({ name }) => !category || name === category))
  const header = csv([columns.map(({ name }) => name)])
  const head = `${hasMark ? byteOrderMark : ""}${isHeadless ? "" : header}`
  return {
    contentType: `text/csv; charset=utf-8; header=${isHeadless ? "absent" : "present"}`,
    extension: "csv",
    // An empty page has the same bytes as JSON, whatever the columns are.
    tag: `csv-${sha256(`${head}\n${header}`).slice(0, 8)}`,
    head,
    write: (rows) => csv(rows.map((row) => columns.map((column) => cellIn(row, column)))),
  }
}

/** Returns the columns of all parts; those that several parts have only once. */
function columnsOfRows(parts: readonly ListPart[]): Column[] {
  const columns = parts.flatMap(({ name, projection }) => [
    ...name === undefined ? [] : [{ name: "category", path: ["category"] }],
    ...columnsOf(projection),
  ])
  return [...new Map(columns.map((column) => [column.name, column])).values()]
}

/** What a client needs to know that it has all of an export. */
interface ExportEnd {
  /** Records. */
  readonly count: number
  /** Of all bytes before the line, without compression, in hexadecimal. */
  readonly sha256: string
  /** The URL of the rest; null if there is none. */
  readonly next: string | null
}

/** Returns the last line of an export: without it, the download is truncated. */
export function lastLine(form: RowForm["extension"], { count, sha256, next }: ExportEnd): string {
  return form === "ndjson"
    ? `${JSON.stringify({ end: { count, sha256, next } })}\n`
    : `#end,count=${count},sha256=${sha256},next=${next ?? ""}\r\n`
}
