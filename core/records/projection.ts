import type { Compilable } from "kysely"
import type { GenericSchema } from "valibot"
import type { Runnable, Snapshot } from "../data/database.ts"
import {
  type Columns,
  compileRecord,
  type Field,
  type Fields,
  objectOf,
  type Row,
} from "./fields.ts"
import {
  compileList,
  type JsonRecords,
  type ListRecords,
  type SentRows,
} from "./json/json-records.ts"
import type { SentRow } from "../data/mysql/raw-row.ts"

/** A kind of record with all the fields that any family may return, in the contract's order. */
export interface RecordType<Name extends string = string, F extends Fields = Fields> {
  readonly name: Name
  readonly fields: F
}

/**
 * The fields of a record that a family lets through. From this one declaration come the columns
 * that are read, the fields that `q` searches, the JSON shape, and the function that runs for
 * each record.
 */
export interface Projection<Name extends string = string> {
  readonly record: Name
  readonly fields: readonly string[]
  readonly columns: readonly string[]
  readonly searched: readonly string[]
  readonly schema: ObjectSchema
  /** True where the fields are not as the record has them. */
  readonly rewritten?: true
  project(row: Row): Record<string, unknown>
}

/** By what makes a record of a row: what writes the same as JSON without it. */
const lists = new WeakMap<Projection["project"], ListRecords>()

/** Reads rows for a projection: they stay unread where they are going to be written as they are. */
export function rowsFor<Row extends Columns>(
  { project }: Projection,
  snapshot: Snapshot,
  query: Compilable<Row> & Runnable<Row>,
): Promise<SentRow<Row>[]> {
  return lists.has(project) ? snapshot.runUnread(query) : snapshot.run(query)
}

/** The records of rows that `rowsFor` brought, ready for JSON. */
export function listRecords(
  { project }: Projection,
  rows: readonly SentRows[],
): JsonRecords | Record<string, unknown>[] {
  return lists.get(project)?.(rows) ?? (rows as readonly Row[]).map(project)
}

/** The columns of one relation that a projection needs. */
export function columnsOf({ columns }: Projection, relation: string): string[] {
  return columns.filter((column) => column.startsWith(`${relation}.`))
}

/** The shape of a record: a valibot object, whose entries are its fields in order. */
export type ObjectSchema = GenericSchema<Record<string, unknown>> & {
  readonly entries: Readonly<Record<string, unknown>>
}

/** Names a kind of record and its fields. */
export function recordType<Name extends string, F extends Fields>(
  name: Name,
  fields: F,
): RecordType<Name, F> {
  return { name, fields }
}

/**
 * A projection that lets the named fields through, and nothing else: a field that is added to the
 * record later stays hidden. The order is the record's own, whatever the order of `names`.
 *
 * @throws {TypeError} on a name that the record does not have.
 */
export function pick<Name extends string, F extends Fields>(
  record: RecordType<Name, F>,
  names: readonly (keyof F & string)[],
): Projection<Name> {
  const unknown = names.filter((name) => !Object.hasOwn(record.fields, name))
  if (unknown.length > 0) {
    throw new TypeError(`Cannot project ${record.name}: it has no field ${unknown.join(", ")}`)
  }
  const picked = Object.entries<Field>(record.fields).filter(([name]) => names.includes(name))
  const fields = Object.fromEntries(picked)
  const project = compileRecord(fields)
  lists.set(project, compileList(fields))
  return {
    record: record.name,
    fields: picked.map(([name]) => name),
    columns: [...new Set(picked.flatMap(([, field]) => field.columns))],
    searched: picked.flatMap(([, field]) => field.searched ? field.columns : []),
    schema: objectOf(fields),
    project,
  }
}

/** A projection that lets every field through, those that are added later included. */
export function whole<Name extends string>(record: RecordType<Name>): Projection<Name> {
  return pick(record, Object.keys(record.fields))
}

/**
 * Rewrites what a projection lets through, where picking is not enough. `rewrite` gets the
 * projected record, so it cannot reach a field that was not picked; `schema` is the new shape.
 *
 * `q` goes on searching what was picked: do not pick what the rewriting is to hide.
 */
export function rewritten<Name extends string>(
  projection: Projection<Name>,
  schema: ObjectSchema,
  rewrite: (record: Record<string, unknown>) => Record<string, unknown>,
): Projection<Name> {
  const fields = Object.keys(schema.entries)
  const project = (row: Row) => rewrite(projection.project(row))
  return { ...projection, fields, schema, rewritten: true, project }
}
