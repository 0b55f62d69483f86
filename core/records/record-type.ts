import { type Declaration, type Field, type Fields, locate } from "./fields.ts"

/** A kind of record with all the fields that any family may return, in the contract's order. */
export interface RecordType<Name extends string = string, F extends Fields = Fields> {
  readonly name: Name
  /** The table or view of its rows; undefined if it is not read from one of its own. */
  readonly table: string | undefined
  readonly fields: F
}

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
