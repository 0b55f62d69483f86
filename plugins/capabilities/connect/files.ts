import { readFileSync } from "node:fs"
import { parse } from "csv-parse/sync"
import { UserError } from "../../../core/capability.ts"
import { csv } from "../../../core/plugin.ts"
import { addressKinds } from "./kinds.ts"
import type { SourceRow } from "./sources/source.ts"
import { parseJson, type SourceValue } from "./values.ts"

/** The rows of a file, with the names of its columns. */
export interface FileRows {
  readonly columns: readonly string[]
  readonly rows: readonly SourceRow[]
}

/** Reads a file of CSV, or of NDJSON if its name says so. @throws {UserError} if it is neither. */
export function readRows(path: string): FileRows {
  const bytes = readFileSync(path)
  if (bytes.subarray(0, 4).toString("latin1") === "PK\x03\x04") {
    throw new UserError("The file is a workbook: save it as CSV in UTF-8. Nothing was changed.")
  }
  const text = decode(bytes)
  return /\.(ndjson|jsonl)$/i.test(path) ? readLines(text) : readCsv(text)
}

/** Programs on Windows may write UTF-16 or the characters of their country; others write UTF-8. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes)
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder("windows-1252").decode(bytes)
  }
}

function readCsv(text: string): FileRows {
  // Excel takes a first line that only says how cells are separated.
  const [line = "", separator] = /^\ufeff?"?sep=(.)"?\r?\n/i.exec(text) ?? []
  try {
    const [head = [], ...rows] = cellsOf(text.slice(line.length), separator ?? delimiterOf(text))
    // Cells that were once formatted are written, though empty.
    const columns = head.slice(0, head.findLastIndex((name) => name.trim() !== "") + 1)
    const wrong = rows.findIndex((row) => row.slice(columns.length).some((cell) => cell !== ""))
    // A separator in a text without quotes would move the cells after it into other columns.
    if (wrong >= 0) throw new Error(`row ${wrong + 1} has more cells than there are columns`)
    const broken = rows.findIndex((row) =>
      row.length < columns.length && /\\$/.test(row.at(-1) ?? "")
    )
    if (broken >= 0) throw new Error(`row ${broken + 1} ends with a backslash`)
    return {
      columns: columns.map((name) => name.trim()),
      rows: rows.map((row) => row.map(plain)),
    }
  } catch (error) {
    throw new UserError(
      `The file is not CSV: ${
        (error as Error).message
      }. Write cells with quotation marks or line breaks within quotation ` +
        "marks, and double the marks in them. Nothing was changed.",
    )
  }
}

/** Cells without quotation marks around them may have some: `12" vinyl`, and `="02134"` of Excel. */
function cellsOf(text: string, delimiter: string): string[][] {
  const read = (more: object): string[][] =>
    parse(text, {
      ...{ bom: true, delimiter, relax_column_count: true, skip_empty_lines: true },
      ...{ skip_records_with_empty_values: true, ...more },
    })
  try {
    return read({})
  } catch (error) {
    const relaxed = read({ relax_quotes: true })
    if (relaxed.flat().some((cell) => cell.startsWith('"'))) throw error
    return relaxed
  }
}

/** Excel writes the list separator of its user's country. */
function delimiterOf(text: string): string {
  const [head = ""] = text.split("\n", 1)
  return [",", ";", "\t", "|"].toSorted((a, b) => head.split(b).length - head.split(a).length)[0] ??
    ","
}

/** Returns a cell without what keeps Excel from guessing its type: `="02134"`, `'02134`. */
function plain(cell: string): string {
  // Databases write this for no value.
  if (cell === "\\N") return ""
  const text = /^="(.*)"$/s.exec(cell)?.[1] ?? cell
  const bare = text.slice(1)
  // An apostrophe may also be a part of a name.
  const isGuarded = text.startsWith("'") &&
    csv([[text]], { isExact: true }) === csv([[bare]], { isText: true })
  return isGuarded ? bare : text
}

function readLines(text: string): FileRows {
  const records = text.split("\n").filter((line) => line.trim()).map((line, index) => {
    const record = parseJson(line)
    if (typeof record === "object" && record !== null && !Array.isArray(record)) {
      return withoutParts(record as Record<string, SourceValue>)
    }
    throw new UserError(`Line ${index + 1} of the file is not a JSON object. Nothing was changed.`)
  })
  // Exports say at their end how many records there were.
  if (Object.keys(records.at(-1) ?? {}).join() === "end") records.pop()
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))]
  return { columns, rows: records.map((record) => columns.map((name) => record[name])) }
}

/** Makes columns of the parts of addresses, as CSV has them. */
function withoutParts(record: Readonly<Record<string, SourceValue>>): Record<string, SourceValue> {
  const columns = Object.entries(record).flatMap(([name, value]) =>
    Object.hasOwn(addressKinds, name)
      ? Object.entries(value ?? {}).map(([part, each]) => [`${name}.${part}`, each] as const)
      : [[name, value] as const]
  )
  return Object.fromEntries(columns)
}
