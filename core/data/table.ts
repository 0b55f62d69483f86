import type { Generated } from "kysely"

/**
 * What a column holds, for which each database has a type. A `slug` is a text that programs write; texts that people
 * write are compared without regard to case and accents.
 */
export type ColumnKind =
  | "id"
  | "slug"
  | "text"
  | "longText"
  | "json"
  | "long"
  | "integer"
  | "percent"
  | "flag"
  | "sequence"
  | "hiddenVersion"

/** A column whose values have the type `Value`, as Kysely writes it. */
export interface Column<Value = unknown> {
  readonly kind: ColumnKind
  /** The maximum length of a `text`, in characters. */
  readonly length?: number
  readonly isNullable?: true
  /** What the database writes if an insert does not: 0, or its clock. */
  readonly fallback?: 0 | "now"
  /** Only a type: nothing has this member. */
  readonly value?: Value
}

/** What a MySQL user may be granted on a table. */
export type Privilege = "select" | "insert" | "update" | "delete"

/** Names of columns, by the name of their index or constraint. */
export type Indexes = Readonly<Record<string, readonly string[]>>

/** A table that the service needs. */
export interface Table {
  readonly columns: Readonly<Record<string, Column>>
  /** What serving does with the rows. */
  readonly privileges: readonly Privilege[]
  /** The primary key. Missing if that is the column of the kind `sequence`. */
  readonly key?: readonly string[]
  readonly unique?: Indexes
  readonly indexes?: Indexes
  /** Foreign keys by name. */
  readonly references?: Readonly<Record<string, Reference>>
  /** Conditions in SQL by name. */
  readonly checks?: Readonly<Record<string, string>>
}

interface Reference {
  readonly columns: readonly string[]
  readonly table: string
  /** The columns there. */
  readonly to: readonly string[]
  /** The row is deleted with the one that it refers to. */
  readonly cascades?: true
}

/** Tables by name, each behind those that it refers to. */
export type Tables = Readonly<Record<string, Table>>

/** Declares a table. */
export function table<const T extends Table>(declaration: T): T {
  return declaration
}

/** The rows of tables by name: a schema of Kysely. */
export type RowsOf<T extends Tables> = { -readonly [Name in keyof T]: RowOf<T[Name]["columns"]> }

/** The values of a row by column, as Kysely types them. */
type RowOf<C extends Table["columns"]> = {
  -readonly [Name in keyof C]: C[Name] extends Column<infer Value> ? Value : never
}

/** The values of a row by column, if nothing else is known. */
export type Columns = Readonly<Record<string, unknown>>

/** A lower-case UUID. */
export const id: Column<string> = { kind: "id" }
/** Text of up to 191 ASCII characters that programs write. */
export const slug: Column<string> = { kind: "slug" }
/** JSON, which both databases return as text. */
export const json: Column<string> = { kind: "json" }
/** Text of any length. */
export const longText: Column<string> = { kind: "longText" }
/** A number of up to 32 bits. */
export const integer: Column<number> = { kind: "integer" }
/** A number of up to 53 bits, such as money in integer minor units. */
export const long: Column<number> = { kind: "long" }
/** A time in Unix seconds. */
export const seconds = long
/** A percentage. */
export const percent: Column<number> = { kind: "percent" }
/** 0 or 1. */
export const flag: Column<number> = { kind: "flag" }
/** The number of a row, which the database counts: the primary key. */
export const sequence: Column<Generated<number>> = { kind: "sequence" }
/** A time in Unix seconds; the database's clock, unless an insert has another. */
export const stamp: Column<Generated<number>> = { kind: "long", fallback: "now" }

/** Text that people write, of up to `length` characters. */
export function text(length: number): Column<string> {
  return { kind: "text", length }
}

/** A `slug` that is one of a few words. */
export function oneOf<Word extends string>(): Column<Word> {
  return { kind: "slug" }
}

/** A column that may be null. */
export function nullable<Value>(column: Column<Value>): Column<Value | null> {
  return { ...column, isNullable: true } as Column<Value | null>
}

/** A number that is 0 if an insert has none. */
export function generated({ kind }: Column<number>): Column<Generated<number>> {
  return { kind, fallback: 0 }
}
