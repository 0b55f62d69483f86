import { isDeepStrictEqual } from "node:util"
import { cellsOf, filled } from "../../../support/flat-rows.ts"
import type { Row } from "./rows.ts"
import type { Fields, Records } from "./truth.ts"

/** What a reader has stored of an event, by category and id. */
export class Copy {
  readonly rows = new Map<string, Row>()

  put(row: Row): void {
    this.rows.set(keyOf(row), row)
  }

  /** Returns the first three records in which it differs from those that it should have; empty if it has none. */
  differences(records: Records, isWanted: (key: string) => boolean): readonly string[] {
    const found: string[] = []
    for (const [key, record] of records) {
      if (!isWanted(key)) continue
      const row = this.rows.get(key)
      if (!row) found.push(`${key} is lost`)
      else if (!isSame(row, record)) {
        found.push(`${key} is stale: ${show(row, record)}`)
      }
    }
    for (const key of this.rows.keys()) {
      if (!records.has(key) || !isWanted(key)) found.push(`${key} is a phantom`)
    }
    return found.slice(0, 3)
  }
}

/** Returns what a copy has a record by. */
export function keyOf({ category, id }: Pick<Row, "category" | "id">): string {
  return `${category} ${id}`
}

/** True if a row is a record, value by value; of CSV, cell by cell. */
export function isSame({ fields, isText }: Row, record: Fields): boolean {
  return isText
    ? isDeepStrictEqual(filled(fields as Record<string, string | null>), filled(cellsOf(record)))
    : isDeepStrictEqual(fields, record)
}

/** Names the fields that differ, without their values. */
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
