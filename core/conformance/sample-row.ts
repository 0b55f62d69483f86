import type { Columns } from "../data/columns.ts"
import type { Field } from "../records/fields.ts"
import type { RecordType } from "../records/record-type.ts"

/**
 * Makes the row of a record in one of its relations: of each field, the column that stores the JSON
 * value that `value` returns.
 */
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
 * A value that is not null, with special characters if it is free text. Each text is one that no
 * other column of the record has, so that a search for it tells which column was searched.
 */
export function sampleValue({ kind, example, isFormatted }: Field, index: number): unknown {
  const mark = `${specials[index % specials.length]} k${String(index).padStart(2, "0")}`
  if (kind === "text") return isFormatted ? example : mark
  if (kind === "number") return example ?? large
  if (kind !== "document") return example
  const marked = JSON.parse(
    JSON.stringify(example),
    (_, part) => typeof part === "string" ? mark : part,
  )
  return [...marked, ...marked]
}

/** Nothing, in the columns that may have nothing; else as `sampleValue`. */
export function emptyValue(field: Field, index: number): unknown {
  if (field.isNullable) return null
  return field.kind === "document" ? [] : sampleValue(field, index)
}

/**
 * Rows of a record in which everything is set, nothing is set that need not be, each such column is
 * empty alone, all numbers are 0, and all numbers are large.
 */
export function variants(record: RecordType, relation?: string): Columns[] {
  const full = rowOf(record, sampleValue, relation)
  const empty = rowOf(record, emptyValue, relation)
  const numbers = (number: number) =>
    rowOf(
      record,
      (field, index) => field.kind === "number" ? number : sampleValue(field, index),
      relation,
    )
  const zeros = Object.fromEntries(
    Object.entries(full).map(([name, value]) => [name, typeof value === "number" ? 0 : value]),
  )
  return [
    full,
    empty,
    ...Object.keys(full).filter((name) => full[name] !== empty[name]).map((name) => (
      { ...full, [name]: empty[name] }
    )),
    zeros,
    numbers(large),
  ]
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

/** More than 32 bits hold. */
const large = 12_345_678_901

/** A JSON value as its column has it. */
function stored({ kind }: Field, value: unknown): unknown {
  if (kind === "flag") return Number(value)
  return kind === "document" ? JSON.stringify(value) : value
}
