import type { Field } from "../../core/records/kinds/fields.ts"
import type { Columns } from "../../core/tables.ts"
import type { RecordType } from "../../core/plugin.ts"

/** Returns the row of a record in one of its relations, with what stores the JSON value of each field. */
export function rowOf(
  { fields }: RecordType,
  value: (field: Field, index: number) => unknown,
  relation = "record",
): Columns {
  return Object.fromEntries(
    Object.values(fields).flatMap((field, index) =>
      field.relation !== relation || field.record
        ? []
        : [[field.column, stored(field, value(field, index))]]
    ),
  )
}

/**
 * Returns a value that is not null, with special characters if it is free text. Free texts of a
 * record differ, so that the result of a search shows which column was searched.
 */
export function sampleValue({ kind, example, isFormatted }: Field, index: number): unknown {
  const mark = `${specials[index % specials.length]} k${String(index).padStart(2, "0")}`
  if (kind === "text") return isFormatted ? example : mark
  if (kind === "number") return example ?? largeNumber
  if (kind !== "document") return example
  const marked = JSON.parse(
    JSON.stringify(example),
    (_, part) => typeof part === "string" ? mark : part,
  )
  return [...marked, ...marked]
}

/** Returns null for a nullable field, else an empty list or the same as `sampleValue`. */
export function emptyValue(field: Field, index: number): unknown {
  if (field.isNullable) return null
  return field.kind === "document" ? [] : sampleValue(field, index)
}

/**
 * Returns rows of a record: one with all columns set, one with all optional columns empty, one per
 * optional column with only that one empty, one with all numbers 0, and one with large numbers.
 */
export function variants(record: RecordType): Columns[] {
  const full = rowOf(record, sampleValue)
  const empty = rowOf(record, emptyValue)
  const large = rowOf(
    record,
    (field, index) => field.kind === "number" ? largeNumber : sampleValue(field, index),
  )
  const zeros = Object.fromEntries(
    Object.entries(full).map(([name, value]) => [name, typeof value === "number" ? 0 : value]),
  )
  const optional = Object.keys(full).filter((name) => full[name] !== empty[name])
  return [full, empty, ...optional.map((name) => ({ ...full, [name]: empty[name] })), zeros, large]
}

const specials = [
  'Größte 夜 🎁 "Gala"',
  "Zoë",
  "O’Brien-王",
  "Tâche<b>№1</b>",
  "Söhne🎁",
  "„einmal“",
  "Łódź",
  "Анна",
]

/** A number that does not fit into 32 bits. */
const largeNumber = 12_345_678_901

/** Returns the column value that stores a JSON value. */
function stored({ kind }: Field, value: unknown): unknown {
  if (kind === "flag") return Number(value)
  return kind === "document" ? JSON.stringify(value) : value
}
