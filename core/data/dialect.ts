import type {
  ColumnDataType,
  CompiledQuery,
  Expression,
  InflightQueryAbortStrategy,
  RawBuilder,
  SqlBool,
} from "kysely"

/**
 * What differs between the databases, and nothing else. One file each implements it:
 * `mysql.ts` (MySQL and MariaDB) and `sqlite.ts` (embedded).
 */
export interface Dialect {
  readonly name: "mysql" | "sqlite"
  /** For people: `MySQL 9.7.0`, `MariaDB 11.4.2`, `SQLite 3.50.1`. */
  readonly version: string
  /** The database's clock in Unix seconds; constant within a statement. */
  readonly now: RawBuilder<number>
  /** What happens to a running statement when its time is up. */
  readonly onTimeout: InflightQueryAbortStrategy
  /**
   * Tells the planner to read a table (by its alias) through an index, however poor its statistics
   * are; put behind `select`. Nothing happens where there is no such index.
   */
  byIndex(table: string, index: string): Expression<unknown>
  /** Texts as a table with the columns `id` and `place` (from 1 on), in one value however many they are. */
  listed(ids: readonly string[]): RawBuilder<{ id: string; place: number }>
  /** Makes a query keep its rows as they are sent (`RawRow`). Missing if rows come decoded. */
  keepRaw?(query: CompiledQuery): CompiledQuery
  /** True where `text` contains `term`, whatever the case and the accents of either. */
  contains(text: Expression<string | null>, term: string): Expression<SqlBool>
  /** The column types of the schema, for migrations. */
  readonly types: ColumnTypes
  /** The statements that create the triggers of the schema, for migrations. */
  readonly triggers: TriggerSyntax
}

export type ColumnType = ColumnDataType | RawBuilder<unknown>

export interface ColumnTypes {
  readonly id: ColumnType
  readonly slug: ColumnType
  readonly seconds: ColumnType
  readonly money: ColumnType
  readonly integer: ColumnType
  readonly percent: ColumnType
  readonly flag: ColumnType
  readonly json: ColumnType
  readonly sequence: ColumnType
  /** Short text of people: compared without regard to case and accents. */
  text(length: number): ColumnType
  readonly longText: ColumnType
}

export interface TriggerSyntax {
  /** Keeps `updated` of `table` from standing still or going back, and appends each change to the change log. */
  record(table: string, category: string): RawBuilder<unknown>[]
  /** Moves `updated` of `table` on when it changes; for tables that no log follows. */
  stamp(table: string): RawBuilder<unknown>[]
  /** Makes a change of `table` a change of the guest it belongs to. */
  touchGuest(table: string): RawBuilder<unknown>[]
}
