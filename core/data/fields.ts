import * as v from "valibot"

/** A row as the database returns it, keyed by the references (`table.column`) that were asked for. */
export type Row = Readonly<Record<string, unknown>>

/** One field of an exported record: its JSON shape, the columns it needs, and how it reads them. */
export interface Field<T = unknown> {
  readonly schema: v.GenericSchema<T>
  readonly columns: readonly string[]
  /** True where `q` searches this field, in the families that return it. */
  readonly searched: boolean
  read(row: Row): T
}

/** A lower-case UUID. */
export function uuid(column: string): Field<string> {
  return plain(column, v.pipe(v.string(), v.uuid()))
}

/** Text that is never null. */
export function text(column: string): Field<string> {
  return plain(column, v.string())
}

/** Unix seconds; also money in minor units, and counts: a whole number. */
export function integer(column: string): Field<number> {
  return plain(column, v.pipe(v.number(), v.safeInteger()))
}

/** A number that may have decimals, such as a percentage. */
export function decimal(column: string): Field<number> {
  return plain(column, v.number())
}

/** Text that is null where there is none. */
export function nullable<T>(field: Field<T>): Field<T | null> {
  return { ...field, schema: v.nullable(field.schema), read: field.read }
}

/** Makes `q` search a field. */
export function searched<T>(field: Field<T>): Field<T> {
  return { ...field, searched: true }
}

/** A flag that is stored as 0 or 1; `otherwise` where the row has none. */
export function flag(column: string, otherwise = false): Field<boolean> {
  return {
    ...plain(column, v.boolean()),
    read: (row) => row[column] === null ? otherwise : Boolean(row[column]),
  }
}

/** Text that is `otherwise` where the joined row is missing. */
export function textOr(column: string, otherwise: string): Field<string> {
  return { ...text(column), read: (row) => (row[column] ?? otherwise) as string }
}

/** A JSON document that is stored as text. */
export function json<T>(column: string, schema: v.GenericSchema<T>): Field<T> {
  return { ...plain(column, schema), read: (row) => JSON.parse(row[column] as string) }
}

/** An object made of several columns; null where `presentWhen` is null, as after a join that found nothing. */
export function nested<F extends Fields>(fields: F, presentWhen: keyof F): Field<unknown> {
  const entries = Object.entries(fields)
  const marker = fields[presentWhen]
  return {
    schema: v.nullable(objectOf(fields)),
    columns: entries.flatMap(([, field]) => field.columns),
    searched: false,
    read(row) {
      if (marker?.read(row) === null) return null
      return Object.fromEntries(entries.map(([name, field]) => [name, field.read(row)]))
    },
  }
}

/** Fields by the names that partners see, in the order in which they are written. */
export type Fields = Readonly<Record<string, Field>>

/** The JSON shape of an object with these fields and no others. */
export function objectOf(fields: Fields) {
  return v.strictObject(
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.schema])),
  )
}

function plain<T>(column: string, schema: v.GenericSchema<T>): Field<T> {
  return { schema, columns: [column], searched: false, read: (row) => row[column] as T }
}
