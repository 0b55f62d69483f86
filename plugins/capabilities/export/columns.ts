import type { csv, Projection } from "../../../core/plugin.ts"

/** A value of a cell. */
type Cell = Parameters<typeof csv>[0][number][number]

/** A column of flat rows. */
export interface CsvColumn {
  /** As `mainAddress.town`. */
  readonly name: string
  /** The names of the fields that lead to the value. */
  readonly path: readonly string[]
}

/** The part of a valibot schema used here. */
interface Shape {
  /** The fields of an object. */
  readonly entries?: Readonly<Record<string, Shape>>
  /** The schema of a value that may also be null or missing. */
  readonly wrapped?: Shape
}

/**
 * Returns the columns of a projection's records: one per field, or for a field that is an object, one per field of
 * that.
 */
export function columnsOf({ schema }: Projection): CsvColumn[] {
  return flatten(schema as Shape, [])
}

function flatten({ wrapped, entries }: Shape, path: readonly string[]): CsvColumn[] {
  if (wrapped) return flatten(wrapped, path)
  if (!entries) return [{ name: path.join("."), path }]
  return Object.entries(entries).flatMap(([name, shape]) => flatten(shape, [...path, name]))
}

/** Returns a record's cell in a column. Lists of texts or numbers are joined with `, `; other objects are JSON. */
export function cellIn(record: Readonly<Record<string, unknown>>, { path }: CsvColumn): Cell {
  let value: unknown = record
  for (const name of path) value = (value as Record<string, unknown> | null | undefined)?.[name]
  if (value === null || value === undefined) return null
  if (typeof value !== "object") return value as Cell
  const isPlainList = Array.isArray(value) && value.every((each) => typeof each !== "object")
  return isPlainList ? (value as unknown[]).join(", ") : JSON.stringify(value)
}
