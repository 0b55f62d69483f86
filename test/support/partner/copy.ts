import { isDeepStrictEqual } from "node:util"
import { cellsOf, filled } from "../flat-rows.ts"
import type { Fields, Records } from "../truth.ts"
import { keyOf, type Row } from "./rows.ts"

/** A record in which a copy differs from what it should have. */
export interface Difference {
  readonly key: string
  /** Missing in the copy, there with other values, or only there. */
  readonly kind: "lost" | "stale" | "phantom"
  /** A sentence, without the values of fields. */
  readonly text: string
}

/** What a partner has stored of an event, by category and id as `tickets 651adcf6-…`. */
export class Copy extends Map<string, Row> {
  put(row: Row): void {
    this.set(keyOf(row), row)
  }

  /** Returns all differences from the records that it should have. */
  differences(records: Records): readonly Difference[] {
    const wrong = [...records].flatMap(([key, record]): Difference[] => {
      const row = this.get(key)
      if (!row) return [{ key, kind: "lost", text: `${key} is lost` }]
      if (isSame(row, record)) return []
      return [{ key, kind: "stale", text: `${key} is stale: ${show(row, record)}` }]
    })
    const phantoms = [...this.keys()].filter((key) => !records.has(key))
      .map((key): Difference => ({ key, kind: "phantom", text: `${key} is a phantom` }))
    return [...wrong, ...phantoms]
  }
}

/** Returns a copy that has exactly these records. */
export function copyOf(records: Records): Copy {
  const copy = new Copy()
  for (const [key, fields] of records) {
    const [category = "", id = ""] = key.split(" ")
    copy.put({ category, id, updated: Number(fields["updated"]), fields, isText: false })
  }
  return copy
}

/** Returns rows of a list as records. */
export function recordsIn(rows: readonly Row[]): Records {
  return new Map(rows.map((row) => [keyOf(row), row.fields]))
}

/** True if a row is a record, value by value; of CSV, cell by cell. */
export function isSame({ fields, isText }: Row, record: Fields): boolean {
  return isText
    ? isDeepStrictEqual(filled(fields as Record<string, string | null>), filled(cellsOf(record)))
    : isDeepStrictEqual(fields, record)
}

/** Names the fields that differ. */
function show({ fields, isText }: Row, record: Fields): string {
  const other: Fields = isText ? cellsOf(record) : record
  const names = [...new Set([...Object.keys(fields), ...Object.keys(other)])]
  const differ = names.filter((name) => {
    const [got, expected] = [fields[name] ?? null, other[name] ?? null]
    return !isDeepStrictEqual(got, expected)
  })
  const times = `${fields["updated"]} instead of ${other["updated"]}`
  return `${differ.join(", ")} (updated ${times})`
}
