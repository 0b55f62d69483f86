import type {
  ColumnDataType,
  CreateTableBuilder,
  Expression,
  InflightQueryAbortStrategy,
  InsertQueryBuilder,
  InsertResult,
  Kysely,
  QueryExecutorProvider,
  RawBuilder,
  SqlBool,
  UpdateObject,
} from "kysely"
import type { Schema } from "./schema.ts"
import type { ColumnKind, Indexes, Tables } from "./table.ts"

/** Everything that differs between the databases. All other code works on any and never asks which one it has. */
export interface Dialect {
  /** Only for the demonstration and tests. */
  readonly name: "mysql" | "sqlite"
  /** For people: `MySQL 9.7.0`, `MariaDB 11.4.2`, `SQLite 3.50.1`. */
  readonly version: string
  /** The database's clock in Unix seconds; constant within a statement. */
  readonly now: RawBuilder<number>
  /** 1 if the server takes no writes now. */
  readonly isReadOnly: RawBuilder<number>
  /** A text that differs between servers, if they identify themselves. */
  readonly server: RawBuilder<string>
  /** What happens to a running statement when its time is up. Does nothing in a transaction. */
  readonly onTimeout: InflightQueryAbortStrategy
  /**
   * A clause behind a table, by which the planner finds rows by the primary key: a row is there before it is in any
   * other index.
   */
  readonly byPrimaryKey: RawBuilder<unknown>
  /**
   * Runs work in a transaction while nobody else writes; returns undefined at once if somebody does. Missing if
   * uncommitted rows can be read.
   */
  whileNobodyWrites?<T>(
    db: Kysely<Schema>,
    work: (db: Kysely<Schema>) => Promise<T>,
  ): Promise<T | undefined>
  /**
   * A hint behind `select`, by which the planner reads a table (by its alias) through an index, however poor its
   * statistics are. Does nothing if there is no such index.
   */
  byIndex(table: string, index: string): Expression<unknown>
  /** A table of ids with the columns `id` and `place` (from 1 on), sent as one value. */
  tableOf(ids: readonly string[]): RawBuilder<{ id: string; place: number }>
  /** Aggregates a JSON value of each row into a JSON array, in no order; null if there is no row. */
  arrayOf(value: Expression<unknown>): RawBuilder<unknown>
  /**
   * Makes an insert change the row with the same `key` (one column or several), if there is one. MySQL
   * assigns the changes one after the other: put a column that others depend on last.
   */
  orUpdate<DB, Table extends keyof DB>(
    insert: InsertQueryBuilder<DB, Table, InsertResult>,
    key: string & keyof DB[Table] | readonly (string & keyof DB[Table])[],
    changes: UpdateObject<DB, Table, Table>,
  ): InsertQueryBuilder<DB, Table, InsertResult>
  /** In the changes of `orUpdate`: the value that the insert has for a column. */
  incoming(column: string): RawBuilder<never>
  /** Matches if `searchableText` of a text contains `folded`, of `foldTerms`. May match other texts, too. */
  mayContain(text: Expression<string | null>, folded: string): Expression<SqlBool>
  /** The SHA-256 of a text, as 64 lower-case hexadecimal digits. */
  sha256(text: Expression<string>): Expression<string>
  /** The column types of the schema, for migrations. */
  readonly types: ColumnTypes
  /** The triggers of the schema. */
  readonly triggers: TriggerSyntax
  /** The mark of a change: a random number of 52 bits, which JavaScript can hold. */
  readonly mark: RawBuilder<number>
  /** Lets a connection set `updated` to the past, for loading history. Missing if connections always can. */
  readonly keepHistory?: { readonly begin: RawBuilder<unknown>; readonly end: RawBuilder<unknown> }
  /** In a transaction, lets rows be inserted before those that they refer to, until it ends. */
  readonly referenceLater: {
    readonly begin: RawBuilder<unknown>
    readonly end: RawBuilder<unknown>
  }
  /** Runs a `create table if not exists`, with indexes. */
  createTable(db: Kysely<unknown>, definition: {
    readonly name: string
    readonly table: CreateTableBuilder<string, string>
    readonly indexes: Indexes
  }): Promise<void>
  /** Adds an index to a table, unless it has one of the name. */
  addIndex(db: Kysely<unknown>, added: {
    readonly index: string
    readonly table: string
    readonly columns: readonly string[]
  }): Promise<void>
  readonly inspection: Inspection
  /** Replaces a trigger, for migrations. Each change of its table meanwhile runs the former one, the new one or both. */
  replaceTrigger(db: Kysely<Schema>, trigger: Trigger): Promise<void>
  /** Removes the stand-ins that `replaceTrigger` has created, if any. */
  removeStandIns(db: Kysely<Schema>): Promise<void>
}

/** The type of a column, as Kysely takes it. */
export type ColumnType = ColumnDataType | RawBuilder<unknown>

interface ColumnTypes extends Readonly<Record<Exclude<ColumnKind, "text">, ColumnType>> {
  /** `select *` leaves it out where the database can hide columns. It is 0 at first. */
  readonly hiddenVersion: ColumnType
  text(length: number): ColumnType
}

/** Each function returns the triggers of a table. */
export interface TriggerSyntax {
  /**
   * Keeps `updated` from standing still or going back, logs changes, and remembers deletions, and when a record began
   * whose `created` is later.
   */
  record(table: string, category: string): Trigger[]
  /** The same for the events themselves, whose deletions nobody asks for. */
  event(table: string): Trigger[]
  /** Moves `updated` on when a row changes; for tables that no log follows. */
  stamp(table: string): Trigger[]
  /** Turns a change of `table` into a change of its guest; notes what consents were (`departure`). */
  touchGuest(table: string): Trigger[]
  /** Turns what a list loses or gains by another filter into a change of the guest. */
  departure(table: string): Trigger[]
}

/** A trigger, and the table that it is on. */
export interface Trigger {
  readonly name: string
  readonly table: string
  /** What stands behind the name in `create trigger`. */
  readonly definition: string
}

/** A trigger that is not as it should be. */
export interface TriggerFault {
  readonly trigger: Trigger
  readonly fault: "missing" | "different"
}

/** What only a database's own folder can find out about its set-up. Changes nothing. */
export interface Inspection {
  /** Returns what the service's user may not do with its tables, as `insert into audit_log`. */
  findDenied(db: Kysely<Schema>, tables: Tables): Promise<string[]>
  /**
   * Returns the triggers that are not on their tables, or have another definition. One that the user may not see counts
   * as right if there is one of its name.
   */
  findTriggerFaults(db: Kysely<Schema>, expected: readonly Trigger[]): Promise<TriggerFault[]>
  /**
   * Returns, by table, a text that changes when the table is rebuilt. Empty if the database removes the triggers with
   * the table.
   */
  findMade(db: Kysely<Schema>, tables: readonly string[]): Promise<ReadonlyMap<string, string>>
  /**
   * Returns the settings that a connection for reading or for writing lacks, with the values found: a proxy may lose
   * them, a server may ignore them.
   */
  findUnset(db: QueryExecutorProvider, use: "reading" | "writing"): Promise<string[]>
  /** Returns the settings of the server that make statements fail, with what fails. */
  findLimits(db: Kysely<Schema>): Promise<string[]>
  /** Returns whether the server belongs to several, which replicate; or else, whether it takes no writes. */
  readRole(db: Kysely<Schema>): Promise<"alone" | "read-only" | "one of several">
  /** Returns true if other users of this machine can read or change the database's file. */
  isOpenToOthers(): boolean
}

/** Opens connections for snapshots that take long. */
export interface LongReaders {
  /** Runs work with a handle like `reader`, which waits for nobody else's work. */
  use<T>(work: (reader: Kysely<Schema>) => Promise<T>): Promise<T>
  destroy(): Promise<void>
}

/** The handles on one database, as a dialect opens them. */
export interface DatabaseHandles {
  readonly dialect: Dialect
  /** Upper bound for the connections for reading. */
  readonly readers: number
  /** Its transactions are read-only snapshots. */
  readonly reader: Kysely<Schema>
  readonly long: LongReaders
  readonly writer: Kysely<Schema>
  /** One connection for work that nobody waits for. It waits a second for locks. May be the writer. */
  readonly background: Kysely<Schema>
  /** Its statements have no time limit, but wait for tables for seconds only. May be the writer. */
  readonly migrator: Kysely<Schema>
}
