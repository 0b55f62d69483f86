import type { Kysely } from "kysely"
import type { AddedStatements, Dialect } from "./dialect.ts"
import type { Schema } from "./schema.ts"
import type { Tables } from "./table.ts"

/** What the kernel or a capability keeps in the database. */
export interface Storage {
  /** The capability's name; `kernel` for the kernel. */
  readonly name: string
  readonly tables: Tables
  /**
   * By name: of a capability `<capability>-0001` and so on. Each can run again. The first creates the tables as they are
   * declared now, so the others may find that what they would do is there; they are never edited once they have been
   * released. They run in order; migrations of other storages may have run before or between.
   */
  readonly migrations: Readonly<Record<string, Migration>>
  /**
   * Names of migrations of versions before this storage was one. Where all of them have been applied, its first
   * migration has nothing to do.
   */
  readonly former?: readonly string[]
  /**
   * Statements for the triggers of guests and items, by the kind of database. They write only to tables of the storage;
   * in MySQL, the variable `stamp` is the time of the change.
   */
  readonly triggers?: Readonly<Record<Dialect["name"], AddedStatements>>
  /**
   * Notes that records may have changed without these statements until a time, as the storage was off. While the triggers
   * get them, the time is far in the future.
   */
  noteGap?(db: Kysely<Schema>, dialect: Dialect, until: number | Dialect["now"]): Promise<void>
  /** Tables with a row per record, by `event_id`, `category` and `record_id`: its deletion is pruned together with it. */
  readonly prunedWithDeletions?: readonly string[]
}

/** Changes the database, also if it did so before and failed in the middle. */
export interface Migration {
  up(db: Kysely<unknown>, dialect: Dialect): Promise<void>
}

/** A storage that is off. Serving knows only its name; commands that look for what it has left also load the rest. */
export type UnusedStorage = Pick<Storage, "name"> & Partial<Pick<Storage, "tables" | "former">>

/** The storages of all that is installed. */
export interface Storages {
  /** The kernel's, and the ones of capabilities that are on. */
  readonly on: readonly Storage[]
  readonly off: readonly UnusedStorage[]
}

/** Returns all tables that the service needs. */
export function tablesOf({ on }: Storages): Tables {
  return Object.assign({}, ...on.map(({ tables }) => tables))
}

/** Returns true if a migration is one of the storage's, also if this version does not know it. */
export function isOf({ name, former = [] }: UnusedStorage, migration: string): boolean {
  return former.includes(migration) ||
    (migration.startsWith(`${name}-`) && /^\d{4}$/.test(migration.slice(name.length + 1)))
}
