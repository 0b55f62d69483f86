import { hash } from "node:crypto"
import { escapeLineBreaks, type List, ndjsonTypes, recordsOf } from "../../../core/capability.ts"
import { csv } from "../../../core/plugin.ts"
import { chooseType, type MediaTypeChoice } from "./accept.ts"
import { cellIn, columnsOf, type CsvColumn } from "./columns.ts"

/** A record as a row; in a bundle, `category` is its first field. */
type Row = Readonly<Record<string, unknown>>

/** A format of a list in which each record is a row. */
export interface RowForm {
  readonly contentType: string
  /** The ending of file names. */
  readonly extension: "ndjson" | "csv"
  /** Differs between formats of the list with different bytes; letters, digits and hyphens. */
  readonly tag: string
  /** What comes before the rows. */
  readonly head: string
  /** True if an export ends with a line that shows that it is complete. */
  readonly hasEnd: boolean
  /** Writes rows. */
  write(rows: readonly Row[]): string
}

/** The media types of exports. Clients that do not choose get the first. */
const rowTypes = [...ndjsonTypes, "text/csv"] as const
/** The media types of lists. */
const types = ["application/json", ...rowTypes] as const

/** What a request says about the format of its rows. */
export interface RowRequest {
  /** The header `Accept`. */
  readonly accept: string | null
  /** The only category of the rows; empty for any. */
  readonly category?: string | undefined
}

/** Returns the row format that a client prefers; undefined for JSON, and for lists without records. */
export function rowFormOf(list: List, { accept, category }: RowRequest): RowForm | undefined {
  if (list.parts.length === 0) return undefined
  const { type, parameters } = chooseType(accept, types)
  // A page has a length, so it needs no end line.
  const { end: _, ...ofPages } = parameters
  return type === "application/json"
    ? undefined
    : formOf(list, { type, parameters: ofPages }, category)
}

/** Returns the row format of an export: NDJSON, unless the client prefers CSV. */
export function exportFormOf(list: List, { accept, category }: RowRequest): RowForm {
  return formOf(list, chooseType(accept, rowTypes), category)
}

/** Returns the rows of a list's body. */
export function rowsOf({ parts }: List, body: unknown): Row[] {
  return parts.flatMap((part) => {
    const records = recordsOf(body, part)
    return part.name === undefined
      ? records
      : records.map((record) => ({ category: part.name, ...record }))
  })
}

/** Returns the format that the client chose. Ignores unknown parameters and values, as in HTTP. */
function formOf(
  list: List,
  { type, parameters }: MediaTypeChoice<(typeof rowTypes)[number]>,
  category = "",
): RowForm {
  const { end, header, bom, for: reader } = parameters
  if (type !== "text/csv") return ndjsonForm(type, end !== "absent")
  const wanted = {
    isHeadless: header === "absent",
    hasMark: bom === "true",
    hasEnd: end === "line",
    isForSpreadsheet: reader === "spreadsheet",
  }
  const known = forms.get(list) ?? new Map<string, RowForm>()
  forms.set(list, known)
  const key = [category, ...Object.values(wanted)].join()
  const form = known.get(key) ?? csvForm(list, category, wanted)
  known.set(key, form)
  return form
}

const forms = new WeakMap<List, Map<string, RowForm>>()

/** A line of JSON per record. */
function ndjsonForm(type: string, hasEnd: boolean): RowForm {
  return {
    contentType: hasEnd ? type : `${type}; end=absent`,
    extension: "ndjson",
    tag: "ndjson",
    head: "",
    hasEnd,
    write: (rows) => escapeLineBreaks(rows.map((row) => `${JSON.stringify(row)}\n`).join("")),
  }
}

/** The byte order mark by which spreadsheets recognize UTF-8. */
const byteOrderMark = "\ufeff"

/** The options that clients have for CSV. */
interface CsvOptions {
  readonly isHeadless: boolean
  readonly hasMark: boolean
  readonly hasEnd: boolean
  /** Protects cells that a spreadsheet would change. Otherwise, each cell is exactly its value. */
  readonly isForSpreadsheet: boolean
}

function csvForm(
  { parts }: List,
  category: string,
  { isHeadless, hasMark, hasEnd, isForSpreadsheet }: CsvOptions,
): RowForm {
  const columns = columnsOfRows(parts.filter(({ name }) => !category || name === category))
  const header = csv([columns.map(({ name }) => name)])
  const head = `${hasMark ? byteOrderMark : ""}${isHeadless ? "" : header}`
  const guard = isForSpreadsheet ? { isText: true } : { isExact: true }
  const parameters = [
    `header=${isHeadless ? "absent" : "present"}`,
    ...hasEnd ? ["end=line"] : [],
    ...isForSpreadsheet ? ["for=spreadsheet"] : [],
  ]
  return {
    contentType: `text/csv; charset=utf-8; ${parameters.join("; ")}`,
    extension: "csv",
    // As JSON, an empty page has the same bytes whatever its columns are.
    tag: `csv-${
      hash("sha256", `${head}\n${header}${isForSpreadsheet ? "\ntext" : "\nexact"}`).slice(0, 8)
    }`,
    head,
    hasEnd,
    write: (rows) => csv(rows.map((row) => columns.map((column) => cellIn(row, column))), guard),
  }
}

/** Returns the distinct columns of all parts. */
function columnsOfRows(parts: List["parts"]): CsvColumn[] {
  const columns = parts.flatMap(({ name, projection }) => [
    ...name === undefined ? [] : [{ name: "category", path: ["category"] }],
    ...columnsOf(projection),
  ])
  return [...new Map(columns.map((column) => [column.name, column])).values()]
}

/** How an export ended. */
export interface ExportEnd {
  /** Records. */
  readonly count: number
  /** The SHA-256 of all uncompressed bytes before the last line, in hexadecimal. */
  readonly sha256: string
  /** The URL of the rest; null if there is none. */
  readonly next: string | null
}

/** Returns the last line of an export in a format that has one. A download without it is truncated. */
export function lastLine(
  { extension, hasEnd }: Pick<RowForm, "extension" | "hasEnd">,
  { count, sha256, next }: ExportEnd,
): string {
  if (!hasEnd) return ""
  return extension === "ndjson"
    ? `${JSON.stringify({ end: { count, sha256, next } })}\n`
    : `#end,count=${count},sha256=${sha256},next=${next ?? ""}\r\n`
}

/**
 * Returns the end of a broken-off export in a format without a last line: an open quote, which no reader takes for a
 * row.
 */
export function cutMark({ extension }: Pick<RowForm, "extension">): string {
  return extension === "ndjson" ? '{"cut":"' : '"This file is not whole: discard it.'
}

/** The names of the trailers of exports. */
export const trailerNames = "Export-Count, Export-SHA256, Export-Next"

/** Returns the content of the last line as trailers. */
export function trailersOf({ count, sha256, next }: ExportEnd): Record<string, string> {
  return {
    "export-count": String(count),
    "export-sha256": sha256,
    ...next !== null && { "export-next": next },
  }
}
