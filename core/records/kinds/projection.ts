import * as v from "valibot"
import type { GuestFilter } from "../../change-log/departures.ts"
import type { Columns } from "../../data/table.ts"
import { sha256 } from "../../data/sha256.ts"
import { loggedTables } from "../../data/triggers.ts"
import {
  type Declaration,
  extraField,
  type Field,
  type Fields,
  objectOf,
  type RecordType,
} from "./fields.ts"
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
  /** The fields that the record does not declare: hashed ones, and those of the platform's own. */
  readonly own: Fields
  /** Which records it lets through; undefined for all. */
  readonly filter?: GuestFilter
  /** True if the fields may differ from those that the record declares. */
  readonly rewritten?: true
  /** Makes a record. @throws {WrongValue} if a column holds what its field cannot be. */
  project(row: RowsByRelation): Record<string, unknown>
}

/** The rows that a record is made from, by relation. A joined relation may have none. */
export type RowsByRelation = Readonly<Record<string, Columns | undefined>>

/** The shape of a record: a valibot object, whose entries are its fields in order. */
type ObjectSchema = v.GenericSchema<Record<string, unknown>> & {
  readonly entries: Readonly<Record<string, unknown>>
}

/** A field that a projection lets through as a hash only. */
export interface HashedName<Name extends string> {
  readonly hashed: Name
}

/**
 * Lets a text through as the SHA-256 by which advertising platforms match: of its lower case, without spaces around it,
 * as hexadecimal digits; empty if the text is. `email` becomes `hashedEmail`, which `q` does not search.
 */
export function hashed<Name extends string>(name: Name): HashedName<Name> {
  return { hashed: name }
}

/**
 * Creates a projection that lets the named fields through, in the record's order: a field that is added to the record
 * later stays hidden. Behind them come the fields of the platform's own that `extra` declares, such as
 * `{ tableNumber: text("The table.", "12") }`: members of the JSON object in the column `extra` of guests and items.
 * @throws {TypeError} on a name that the record does not have, or that it has already.
 */
export function pick<Name extends string, F extends Fields>(
  record: RecordType<Name, F>,
  names: readonly (keyof F & string | HashedName<keyof F & string>)[],
  extra: Readonly<Record<string, Declaration>> = {},
): Projection<Name> {
  if (record?.fields === undefined || !Array.isArray(names)) {
    throw new TypeError(
      "Cannot project: write pick(record, [names of fields]), such as pick(guest, …)",
    )
  }
  const asHashes = new Set(names.flatMap((name) => typeof name === "string" ? [] : [name.hashed]))
  const wanted = names.map((name) => typeof name === "string" ? name : name.hashed)
  const unknown = wanted.filter((name) => !Object.hasOwn(record.fields, name))
  if (unknown.length > 0) {
    throw new TypeError(`Cannot project ${record.name}: it has no field ${unknown.join(", ")}`)
  }
  const declared = Object.entries<Field>(record.fields)
    .filter(([name]) => wanted.includes(name))
    .map(([name, field]) => asHashes.has(name) ? hashedField(record, name, field) : [name, field])
  const own = Object.entries(extra).map(([name, field]) => ownField(record, name, field))
  const picked = [...declared, ...own] as [string, Field][]
  const fields = Object.fromEntries(picked)
  return {
    record: record.name,
    own: Object.fromEntries(picked.filter(([name]) => !Object.hasOwn(record.fields, name))),
    fields: picked.map(([name]) => name),
    columns: [...new Set(picked.flatMap(([, field]) => field.columns))],
    searched: picked.flatMap(([, field]) => field.isSearched ? field.columns : []),
    schema: objectOf(fields),
    project: compileRecord(record.table, fields),
  }
}

/** @throws {TypeError} if the field is not text. */
function hashedField(record: RecordType, name: string, field: Field): [string, Field] {
  if (field.kind !== "text") {
    throw new TypeError(`Cannot hash ${record.name}.${name}: it is not text`)
  }
  const example = typeof field.example === "string" ? sha256(field.example) : null
  const description =
    `SHA-256 of \`${name}\` in lower case, as hexadecimal digits; empty if there is none.`
  const schema = field.isNullable ? v.nullable(v.string()) : v.string()
  const { path, relation, column, columns, kind, isNullable, otherwise } = field
  return [`hashed${name.charAt(0).toUpperCase()}${name.slice(1)}`, {
    ...{ path, relation, column, columns, kind, isNullable, schema, description, example },
    ...otherwise !== undefined && { otherwise },
    ...{ isHashed: true, isSearched: false, isFormatted: true },
  }]
}

/** @throws {TypeError} if the record has no fields of the platform's own, has a field of that name, or may lack this one. */
function ownField(record: RecordType, name: string, field: Declaration): [string, Field] {
  const refuse = (reason: string): never => {
    throw new TypeError(`Cannot add ${name} to ${record.name}: ${reason}`)
  }
  if (!Object.hasOwn(loggedTables, record.table ?? "")) {
    refuse("only guests and items have more fields")
  }
  if (Object.hasOwn(record.fields, name)) refuse("it has a field of this name")
  if (!/^[a-z][A-Za-z0-9]{0,63}$/.test(name)) refuse("write a name such as tableNumber")
  if (field?.kind === undefined) refuse('declare it, such as text("The table.", "12")')
  if (["number", "document"].includes(field.kind) && !field.isNullable) {
    refuse("a record may lack it: write nullable(…)")
  }
  return [name, extraField(name, field)]
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
  const project = (row: RowsByRelation) => rewrite(projection.project(row))
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
