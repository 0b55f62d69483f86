import * as v from "valibot"

/**
 * What was read for one record: the row of each relation (a table, under the name that it is joined
 * by), keyed by column. A relation that is joined has none where nothing was found.
 */
export type Row = Readonly<Record<string, Columns | undefined>>
export type Columns = Readonly<Record<string, unknown>>

/** One field of an exported record: its JSON shape, the columns it needs, and how it is made of them. */
export interface Field<T = unknown> {
  readonly schema: v.GenericSchema<T>
  /** As `relation.column`. */
  readonly columns: readonly string[]
  /** True where `q` searches this field, in the families that return it. */
  readonly searched: boolean
  readonly value: FieldValue
}

/**
 * How the value of a field is made: of one column, or of several columns of one relation. `otherwise`
 * stands where the relation has no row.
 */
export type FieldValue =
  | {
    readonly kind: "text" | "number" | "flag" | "document"
    readonly relation: string
    readonly column: string
    readonly otherwise?: string
  }
  | { readonly kind: "object"; readonly relation: string; readonly fields: Fields }

/** A lower-case UUID. */
export function uuid(column: string): Field<string> {
  return plain("text", column, v.pipe(v.string(), v.uuid()))
}

/** Text that is never null. */
export function text(column: string): Field<string> {
  return plain("text", column, v.string())
}

/** Unix seconds; also money in minor units, and counts: a whole number. */
export function integer(column: string): Field<number> {
  return plain("number", column, v.pipe(v.number(), v.safeInteger()))
}

/** A number that may have decimals, such as a percentage. */
export function decimal(column: string): Field<number> {
  return plain("number", column, v.number())
}

/** Text that is null where there is none. */
export function nullable<T>(field: Field<T>): Field<T | null> {
  return { ...field, schema: v.nullable(field.schema) }
}

/** Makes `q` search a field. */
export function searched<T>(field: Field<T>): Field<T> {
  return { ...field, searched: true }
}

/** A flag that is stored as 0 or 1; false where its relation has no row. */
export function flag(column: string): Field<boolean> {
  return plain("flag", column, v.boolean())
}

/** Text that is `otherwise` where its relation has no row. */
export function textOr(column: string, otherwise: string): Field<string> {
  const field = text(column)
  return { ...field, value: { ...field.value, otherwise } as FieldValue }
}

/** A JSON document that is stored as text. */
export function json<T>(column: string, schema: v.GenericSchema<T>): Field<T> {
  return plain("document", column, schema)
}

/** An object made of the columns of one relation; null where that has no row. */
export function nested(fields: Fields): Field<unknown> {
  const columns = Object.values(fields).flatMap((field) => field.columns)
  const [relation = ""] = relationsOf(columns)
  return {
    schema: v.nullable(objectOf(fields)),
    columns,
    searched: false,
    value: { kind: "object", relation, fields },
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

/**
 * The function that makes a record of its row. It is compiled to one object literal, at a thirtieth
 * of the cost of going through the fields for each record.
 */
export function compileRecord(fields: Fields): (row: Row) => Record<string, unknown> {
  const relations = relationsOf(Object.values(fields).flatMap((field) => field.columns))
  const body = `const { ${relations.join(", ")} } = row\nreturn ${objectCode(fields)}`
  return new Function("row", body) as (row: Row) => Record<string, unknown>
}

function objectCode(fields: Fields): string {
  const entries = Object.entries(fields).map(([name, { value }]) => `${name}: ${codeOf(value)}`)
  return `{ ${entries.join(", ")} }`
}

/** A JavaScript expression for a value, in which the row of a relation goes by the relation's name. */
function codeOf(value: FieldValue): string {
  const { relation } = value
  if (value.kind === "object") return `(${relation} ? ${objectCode(value.fields)} : null)`
  const { kind, column, otherwise } = value
  if (kind === "flag") return `Boolean(${relation}?.${column})`
  if (kind === "document") return `JSON.parse(${relation}.${column})`
  if (otherwise === undefined) return `${relation}.${column}`
  return `(${relation}?.${column} ?? ${JSON.stringify(otherwise)})`
}

/** The relations of some columns. */
export function relationsOf(columns: readonly string[]): string[] {
  return [...new Set(columns.map((column) => column.slice(0, column.indexOf("."))))]
}

function plain<T>(
  kind: Exclude<FieldValue["kind"], "object">,
  path: string,
  schema: v.GenericSchema<T>,
): Field<T> {
  const [relation = "", column = ""] = path.split(".")
  return { schema, columns: [path], searched: false, value: { kind, relation, column } }
}
