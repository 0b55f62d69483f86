import type { Generated } from "kysely"

/** How a column is read: as a number (Unix seconds, money, counts, flags), as text, or as text that rows are found by. */
export type ColumnKind = "number" | "text" | "id"

/** A column whose values have the type `Value`, as Kysely writes it. */
export interface Column<Value = unknown> {
  readonly kind: ColumnKind
  /** The service writes it, or leaves it to the database, and never reads it: a view may lack it. */
  readonly isUnread?: true
  /** Only a type: nothing has this member. */
  readonly value?: Value
}

/** What a MySQL user may be granted on a table. */
export type Privilege = "select" | "insert" | "update" | "delete"

/** A table or view that the service needs. */
export interface Table {
  readonly columns: Readonly<Record<string, Column>>
  /** What serving does with the rows. */
  readonly privileges: readonly Privilege[]
}

/** Tables by name. */
export type Tables = Readonly<Record<string, Table>>

/** Declares a table. Kysely's type of its rows is `RowOf` the declaration. */
export function table<const T extends Table>(declaration: T): T {
  return declaration
}

/** The row of a table, as Kysely types it. */
export type RowOf<T extends Table> = ColumnsOf<T["columns"]>

/** The rows of tables by name: a schema of Kysely. */
export type RowsOf<T extends Tables> = { -readonly [Name in keyof T]: RowOf<T[Name]> }

/** The values of columns by name. */
export type ColumnsOf<C extends Table["columns"]> = {
  -readonly [Name in keyof C]: C[Name] extends Column<infer Value> ? Value : never
}

/** Text: also JSON, which both databases return as text. */
export const text: Column<string> = { kind: "text" }
/** A lower-case UUID. */
export const id: Column<string> = { kind: "id" }
/** A count, a percentage, or money in integer minor units. */
export const number: Column<number> = { kind: "number" }
/** A time in Unix seconds. */
export const seconds = number
/** 0 or 1. */
export const flag = number
/** The number of a row, which the database counts. */
export const sequence: Column<Generated<number>> = { kind: "number" }

/** Text that is one of a few words. */
export function oneOf<Word extends string>(): Column<Word> {
  return { kind: "text" }
}

/** A column that may be null. */
export function nullable<Value>(column: Column<Value>): Column<Value | null> {
  return column as Column<Value | null>
}

/** A column that an insert may leave to the database. */
export function generated<Value>(column: Column<Value>): Column<Generated<Value>> {
  return column as Column<Generated<Value>>
}

/** A column that the service never reads. */
export function unread<Value>(column: Column<Value>): Column<Value> {
  return { ...column, isUnread: true }
}

/** Returns the names of the columns that the service cannot do without. */
export function columnsRead({ columns }: Table): string[] {
  return Object.entries(columns).flatMap(([name, { isUnread }]) => isUnread ? [] : [name])
}
