import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { readCsv, recordsOfCsv } from "../csv-reader.ts"
import { Copy } from "../partner/copy.ts"
import { rowOf } from "../partner/rows.ts"
import { type Fields, recordsOf, type Truth } from "../truth.ts"
import type { Partner } from "./partner.ts"

/** Compares a partner's copy of an event with its tables, as its family has them. Returns a sentence per difference. */
export function differences(
  { format, place }: Pick<Partner, "format" | "place">,
  eventId: string,
  truth: Truth,
  family = "/acme/v1",
): string[] {
  const copy = new Copy()
  let count = 0
  for (const category of Object.keys(truth)) {
    const list = category === "guests" ? "guests" : "items"
    const records = format === "sqlite"
      ? fromSqlite(place, eventId, category)
      : fromFile(join(place, eventId, `${category}.${format}`))
    for (const record of records) copy.put(rowOf({ category, ...record }, list, format === "csv"))
    count += records.length
  }
  return [
    ...count > copy.size ? [`${format}: ${count - copy.size} records are there twice`] : [],
    ...copy.differences(recordsOf(truth, family)).map(({ text }) => `${format}: ${text}`),
  ]
}

/** Returns a sentence per file of a copy that is not whole. */
export function tornFiles({ format, place }: Pick<Partner, "format" | "place">): string[] {
  if (format === "sqlite" || !existsSync(place)) return []
  const names = readdirSync(place, { recursive: true }).map(String)
  return names.filter((name) => name.endsWith(`.${format}`)).flatMap((name) => {
    const text = readFileSync(join(place, name), "utf8")
    // A list may be empty.
    const isWhole = text === "" || (format === "csv" ? isWholeCsv(text) : text.endsWith("}\n"))
    return isWhole ? [] : [`${name} is not whole after a kill`]
  })
}

function isWholeCsv(text: string): boolean {
  try {
    return new Set(readCsv(text).map(({ length }) => length)).size === 1
  } catch {
    return false
  }
}

/** Returns the records of an event and a category. */
function fromSqlite(place: string, eventId: string, category: string): readonly Fields[] {
  const database = new DatabaseSync(place, { readOnly: true })
  try {
    const tables = database.prepare("select name from sqlite_schema").all().map(({ name }) => name)
    if (!tables.includes(category)) return []
    const rows = database.prepare(`select record from "${category}" where event = ?`).all(eventId)
    return rows.map(({ record }) => JSON.parse(String(record)))
  } finally {
    database.close()
  }
}

function fromFile(file: string): readonly Fields[] {
  if (!existsSync(file)) return []
  const text = readFileSync(file, "utf8")
  if (file.endsWith(".csv")) return recordsOfCsv(text)
  return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line))
}
