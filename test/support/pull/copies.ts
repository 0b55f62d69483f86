import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { DatabaseSync } from "node:sqlite"
import type { Truth } from "../truth.ts"
import type { Partner } from "./partner.ts"

type Json = Record<string, unknown>

/** Compares a partner's copy of an event with its tables. Returns a sentence per difference. */
export function differences(
  { format, place }: Pick<Partner, "format" | "place">,
  eventId: string,
  truth: Truth,
): string[] {
  const fromDatabase = format === "sqlite"
    ? fromSqlite(place, eventId, Object.keys(truth))
    : undefined
  return Object.entries(truth).flatMap(([category, records]) => {
    const copy = fromDatabase?.get(category) ??
      fromFile(join(place, eventId, `${category}.${format}`), format as "ndjson")
    const found = new Map(copy.map((record) => [String(record["id"]), record]))
    const name = (id: string) => `${format}: ${category} ${id}`
    const repeated = copy.length - found.size
    return [
      ...repeated > 0 ? [`${format}: ${category} has ${repeated} records twice`] : [],
      ...records.flatMap((record) => {
        const own = found.get(record.id)
        found.delete(record.id)
        if (!own) return [`${name(record.id)} is missing`]
        const wanted = format === "csv" ? cellsOf(record, own) : projected(record, own)
        return isDeepStrictEqual(own, wanted) ? [] : [`${name(record.id)} is outdated`]
      }),
      ...[...found.keys()].map((id) => `${name(id)} should be gone`),
    ]
  })
}

/** Returns a sentence per file of a copy that is not whole. */
export function tornFiles({ format, place }: Pick<Partner, "format" | "place">): string[] {
  if (format === "sqlite" || !existsSync(place)) return []
  const names = readdirSync(place, { recursive: true }).map(String)
  return names.filter((name) => name.endsWith(`.${format}`)).flatMap((name) => {
    const text = readFileSync(join(place, name), "utf8")
    // A list may be empty.
    const isWhole = text === "" ||
      (format === "csv"
        ? new Set(parseCsv(text).map(({ length }) => length)).size === 1 && text.endsWith("\r\n")
        : text.endsWith("}\n"))
    return isWhole ? [] : [`${name} is not whole after a kill`]
  })
}

/** Returns the records of an event, by category. */
function fromSqlite(
  place: string,
  eventId: string,
  categories: readonly string[],
): ReadonlyMap<string, readonly Json[]> {
  const database = new DatabaseSync(place, { readOnly: true })
  try {
    const tables = database.prepare("select name from sqlite_schema").all().map(({ name }) => name)
    return new Map(categories.map((category) => {
      if (!tables.includes(category)) return [category, []]
      const rows = database.prepare(`select record from "${category}" where event = ?`).all(eventId)
      return [category, rows.map(({ record }) => JSON.parse(String(record)))]
    }))
  } finally {
    database.close()
  }
}

function fromFile(file: string, format: "ndjson" | "csv"): Json[] {
  if (!existsSync(file)) return []
  const text = readFileSync(file, "utf8")
  if (format === "ndjson") {
    return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line))
  }
  const [header = [], ...rows] = parseCsv(text)
  return rows.map((cells) => Object.fromEntries(header.map((name, at) => [name, cells[at]])))
}

/** Returns the fields of the table's record that the family exports, in the order of the copy. */
function projected(record: Json, own: Json): Json {
  return Object.fromEntries(Object.keys(own).map((name) => [name, record[name]]))
}

/** Returns the cells that a record should have. */
function cellsOf(record: Json, own: Json): Json {
  return Object.fromEntries(
    Object.keys(own).map((name) => {
      const value = name.split(".").reduce<unknown>(
        (value, key) => (value as Json | null)?.[key],
        record,
      )
      return [name, cellOf(value)]
    }),
  )
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ""
  if (!Array.isArray(value)) return String(value)
  return value.some((each) => typeof each === "object") ? JSON.stringify(value) : value.join(", ")
}

/** Reads CSV as RFC 4180 has it: lines end with CRLF, and quoted cells may have anything. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (
    const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)
  ) {
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? "")
    if (end === ",") continue
    rows.push(row)
    row = []
  }
  return rows
}
