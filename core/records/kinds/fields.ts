import * as v from "valibot"

/** How the column of a field is read. An `object` is made of several columns. */
export type FieldKind = "uuid" | "text" | "number" | "flag" | "document" | "object"

/**
 * A field of an exported record: its JSON shape, its column, and what it means. Queries, required columns, privileges
 * and the OpenAPI document derive from this. `recordType` gives it its name.
 */
export interface Declaration<Stored = unknown, Path extends string = string> {
  readonly kind: FieldKind
  /** One sentence for partners. */
  readonly description: string
  /** A value that the schema accepts, for the OpenAPI document. */
  readonly example: unknown
  readonly schema: v.GenericSchema
  /** `relation.column`. If empty, the column derives from the field's name: `record.first_name`. */
  readonly path: Path
  readonly isNullable: boolean
  /** True if `q` searches the field, in the families that return it. */
  readonly isSearched: boolean
  /** True if the text has a format or is a word of a set, so that samples must keep to the example. */
  readonly isFormatted: boolean
  /** The greatest value of a whole number; undefined if the number may have decimals. */
  readonly greatest?: number
  /** True if the relation is not a table: the record's resource makes its rows. */
  readonly isComputed?: true
  /** The value if the relation has no row. */
  readonly otherwise?: string
  /** The member of the JSON object in the column that is the value. */
  readonly member?: string
  /** True if the value is the SHA-256 of what the column has. */
  readonly isHashed?: true
  /** The record of an `object`. */
  readonly record?: Pick<RecordType, "name" | "fields">
  /** The type of the column. Only TypeScript sees it: no field has this property. */
  readonly stored?: Stored
}

/** A declaration that knows its column. */
export interface Field<Stored = unknown, Path extends string = string>
  extends Declaration<Stored, Path> {
  /** The name by which queries join the field's table: `record` is the record's own. */
  readonly relation: string
  /** Empty for an `object`. */
  readonly column: string
  /** As `relation.column`: one, or all columns of an `object`. */
  readonly columns: readonly string[]
}

/** Fields by the names that partners see, in the order in which they are written. */
export type Fields = Readonly<Record<string, Field>>

/** A kind of record with all the fields that any family may return, in the contract's order. */
export interface RecordType<Name extends string = string, F extends Fields = Fields> {
  readonly name: Name
  /** The table of its rows; undefined if it is not read from one of its own. */
  readonly table: string | undefined
  readonly fields: F
}

/** The fields of some declarations: each knows its column. */
type FieldsOf<D extends Readonly<Record<string, Declaration>>> = {
  readonly [Name in keyof D & string]: D[Name] extends Declaration<infer Stored, infer Path>
    ? Field<Stored, Path extends "" ? `record.${SnakeCase<Name>}` : Path>
    : never
}

/** `firstName` as `first_name`. */
type SnakeCase<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : ""

/** Declares a kind of record: its name, its table and its fields. */
export function recordType<
  const Name extends string,
  const D extends Readonly<Record<string, Declaration>>,
  const Table extends string | undefined = undefined,
>(
  { name, table }: { readonly name: Name; readonly table?: Table },
  declarations: D,
): RecordType<Name, FieldsOf<D>> & { readonly table: Table } {
  const fields = Object.entries(declarations).map(([name, field]) => [name, locate(name, field)])
  return { name, table: table as Table, fields: Object.fromEntries(fields) }
}

/** Declares a field of the platform's own: a member of the JSON object in the column `extra`. */
export function extraField(name: string, field: Declaration): Field {
  return { ...locate(name, from("record.extra", field)), member: name }
}

/** Finds the column of a field by its name, unless the declaration names one. */
function locate(name: string, field: Declaration): Field {
  const path = field.path || `record.${snakeCase(name)}`
  const [relation = "", column = ""] = path.split(".")
  const inner = Object.values(field.record?.fields ?? {})
  const columns = field.record ? inner.flatMap(({ columns }) => columns) : [path]
  return { ...field, path, relation, column, columns }
}

/** `firstName` as `first_name`. */
function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** A lower-case UUID. */
export function uuid(description: string, example: string): Declaration<string, ""> {
  return declare("uuid", v.pipe(v.string(), v.uuid()), { description, example })
}

/** Text that is never null: a column without a value is empty. */
export function text(description: string, example: string | null): Declaration<string, ""> {
  return declare("text", v.string(), { description, example })
}

/** Text in a format, such as an e-mail address, or a word of a set, such as a status. */
export function formatted(description: string, example: string): Declaration<string, ""> {
  return { ...text(description, example), isFormatted: true }
}

/** A whole number: money in minor units, or a count. */
export function integer(description: string, example: number | null): Declaration<number, ""> {
  const schema = v.pipe(v.number(), v.safeInteger())
  return {
    ...declare("number", schema, { description, example }),
    greatest: Number.MAX_SAFE_INTEGER,
  }
}

/** A time in Unix seconds up to the year 9999, so none in milliseconds. */
export function seconds(description: string, example: number | null): Declaration<number, ""> {
  return { ...integer(description, example), greatest: 253_402_300_799 }
}

/** A number that may have decimals, such as a percentage. */
export function decimal(description: string, example: number | null): Declaration<number, ""> {
  return declare("number", v.number(), { description, example })
}

/** A flag that is stored as 0 or 1. It is false if its column has no value, or its relation no row. */
export function flag(description: string, example: boolean): Declaration<number, ""> {
  return declare("flag", v.boolean(), { description, example })
}

/** A JSON array that is stored as text. */
export function list(
  description: string,
  { of, example }: { readonly of: v.GenericSchema; readonly example: readonly unknown[] },
): Declaration<string, ""> {
  return declare("document", v.array(of), { description, example })
}

/** An object made of one row that a query joins under the name `relation`; null if there is no row. */
export function nested<Relation extends string>(
  description: string,
  record: RecordType,
  { relation, example = exampleObject(record.fields) }: {
    readonly relation: Relation
    readonly example?: unknown
  },
): Declaration<never, Relation> {
  const fields = Object.fromEntries(
    Object.entries(record.fields).map(([name, field]) => [
      name,
      locate(name, from(`${relation}.${field.column}`, field)),
    ]),
  )
  return {
    ...declare("object", v.nullable(objectOf(fields)), { description, example }),
    path: relation,
    record: { ...record, fields },
  }
}

/** Allows null. */
export function nullable<Stored, Path extends string>(
  field: Declaration<Stored, Path>,
): Declaration<Stored | null, Path> {
  return { ...field, schema: v.nullable(field.schema), isNullable: true }
}

/** Makes `q` search a field. */
export function searched<D extends Declaration>(field: D): D {
  return { ...field, isSearched: true }
}

/** Gives a field the value to use if its relation has no row. */
export function otherwise<D extends Declaration>(value: string, field: D): D {
  return { ...field, otherwise: value }
}

/** Reads a field from a column that does not derive from its name: `relation.column`. */
export function from<Stored, Path extends string>(
  path: Path,
  field: Declaration<Stored>,
): Declaration<Stored, Path> {
  return { ...field, path }
}

/** Reads a field from a row that the record's resource makes: `relation.column`. */
export function computed<Stored, Path extends string>(
  path: Path,
  field: Declaration<Stored>,
): Declaration<never, Path> {
  return { ...field, path, isComputed: true } as Declaration<never, Path>
}

/** Accepts fewer values than the kind of the field does. */
export function narrowed<D extends Declaration>(schema: v.GenericSchema, field: D): D {
  return { ...field, schema }
}

/** Returns the JSON shape of an object with these fields and no others. */
export function objectOf(fields: Fields) {
  return v.strictObject(
    Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])),
  )
}

/** Returns an object of the examples of its fields. */
export function exampleObject(fields: Fields): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).map(([name, { example }]) => [name, example]))
}

function declare<Stored>(
  kind: FieldKind,
  schema: v.GenericSchema,
  words: Pick<Declaration, "description" | "example">,
): Declaration<Stored, ""> {
  const flags = { isNullable: false, isSearched: false, isFormatted: false }
  return { kind, schema, path: "", ...words, ...flags }
}
