import type { GenericSchema } from "valibot"
import type { Columns } from "../../data/table.ts"
import { type Field, type Fields, objectOf, type RecordType } from "./fields.ts"
import { type ReadValue, valueReader } from "./values.ts"

/**
 * The fields of a record that a family lets through, and what follows from them: the columns that are read, those
 * that `q` searches, the JSON shape, and the function that runs for each record.
 */
export interface Projection<Name extends string = string> {
  readonly record: Name
  readonly fields: readonly string[]
  readonly columns: readonly string[]
  readonly searched: readonly string[]
  readonly schema: ObjectSchema
  /** True if the fields may differ from those that the record declares. */
  readonly rewritten?: true
  /** Makes a record. @throws {WrongValue} if a column holds what its field cannot be. */
  project(row: Row): Record<string, unknown>
}

/** The rows that a record is made from, by relation. A joined relation may have none. */
export type Row = Readonly<Record<string, Columns | undefined>>

/** The shape of a record: a valibot object, whose entries are its fields in order. */
type ObjectSchema = GenericSchema<Record<string, unknown>> & {
  readonly entries: Readonly<Record<string, unknown>>
}

/**
 * Creates a projection that lets the named fields through, in the record's order: a field that is added to the record
 * later stays hidden. @throws {TypeError} on a name that the record does not have.
 */
export function pick<Name extends string, F extends Fields>(
  record: RecordType<Name, F>,
  names: readonly (keyof F & string)[],
): Projection<Name> {
  if (record?.fields === undefined || !Array.isArray(names)) {
    throw new TypeError(
      "Cannot project: write pick(record, [names of fields]), such as pick(guest, …)",
    )
  }
  const unknown = names.filter((name) => !Object.hasOwn(record.fields, name))
  if (unknown.length > 0) {
    throw new TypeError(`Cannot project ${record.name}: it has no field ${unknown.join(", ")}`)
  }
  const picked = Object.entries<Field>(record.fields).filter(([name]) => names.includes(name))
  const fields = Object.fromEntries(picked)
  return {
    record: record.name,
    fields: picked.map(([name]) => name),
    columns: [...new Set(picked.flatMap(([, field]) => field.columns))],
    searched: picked.flatMap(([, field]) => field.isSearched ? field.columns : []),
    schema: objectOf(fields),
    project: compileRecord(record.table, fields),
  }
}

/** Creates a projection that lets every field through, those that are added later included. */
export function whole<Name extends string>(record: RecordType<Name>): Projection<Name> {
  return pick(record, Object.keys(record.fields))
}

/**
 * Rewrites what a projection lets through, if picking is not enough; `schema` is the new shape. `rewrite` gets only the
 * picked fields. `q` still searches these: do not pick a field that the rewriting is to hide.
 */
export function rewritten<Name extends string>(
  projection: Projection<Name>,
  schema: ObjectSchema,
  rewrite: (record: Record<string, unknown>) => Record<string, unknown>,
): Projection<Name> {
  if (schema?.entries === undefined || typeof rewrite !== "function") {
    throw new TypeError(
      `Cannot rewrite ${projection?.record}: write rewritten(projection, v.strictObject({…}), rewrite)`,
    )
  }
  const fields = Object.keys(schema.entries)
  const project = (row: Row) => rewrite(projection.project(row))
  return { ...projection, fields, schema, rewritten: true, project }
}

/**
 * Compiles the function that makes a record from its rows. Its body is one object literal, which takes
 * a thirtieth of the time of a loop over the fields.
 */
function compileRecord(table = "record", fields: Fields): Projection["project"] {
  const relations = new Set(Object.values(fields).map(({ relation }) => relation))
  const readers: ReadValue[] = []
  const record = objectCode(fields, (field) => {
    const name = field.relation === "record" ? `${table}.${field.column}` : field.path
    return readers.push(valueReader(field, name)) - 1
  })
  const names = readers.map((_, index) => `read${index}`)
  const body = `return (row) => {
    const { ${[...relations].join(", ")} } = row
    return ${record}
  }`
  return new Function(...names, body)(...readers) as Projection["project"]
}

function objectCode(fields: Fields, numberOf: (field: Field) => number): string {
  const entries = Object.entries(fields).map(([name, field]) =>
    `${name}: ${codeOf(field, numberOf)}`
  )
  return `{ ${entries.join(", ")} }`
}

/** A JavaScript expression for a value, by the number of its reader. The row of a relation is in a variable of that name. */
function codeOf(field: Field, numberOf: (field: Field) => number): string {
  const { relation, column, record } = field
  if (record) return `(${relation} ? ${objectCode(record.fields, numberOf)} : null)`
  return `read${numberOf(field)}(${relation}?.${column})`
}
