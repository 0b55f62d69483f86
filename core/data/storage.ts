import type { Kysely } from "kysely"
import type { Dialect } from "./dialect.ts"
import type { Tables } from "./table.ts"

/** What the kernel or a capability keeps in the database. Its baseline creates the tables as they are declared now. */
export interface Storage {
  /** The capability's name; `kernel` for the kernel. */
  readonly name: string
  readonly tables: Tables
  /** Part of the baseline: fills the tables once they are there. */
  readonly fill?: Migration["up"]
  /**
   * Further migrations by name: of a capability `<capability>-2001` and so on, of the kernel `2001-<words>`. Each can run
   * again, and may find that what it would do is there. They are never edited once they have been released. They run in
   * order; migrations of other storages may have run before or between.
   */
  readonly migrations?: Readonly<Record<string, Migration>>
  /** Tables of the kernel that it writes as well. */
  readonly writes?: readonly string[]
}

/** Changes the database, also if it did so before and failed in the middle. */
export interface Migration {
  up(db: Kysely<unknown>, dialect: Dialect): Promise<void>
}

/** A storage that is off. Serving knows only its name; commands that look for leftover tables load those as well. */
export type UnusedStorage = Pick<Storage, "name"> & Partial<Pick<Storage, "tables">>

/** The storages of everything that is installed. */
export interface Storages {
  /** The kernel's, and the ones of capabilities that are on. */
  readonly on: readonly Storage[]
  readonly off: readonly UnusedStorage[]
}

/** Returns all tables that the service needs. */
export function tablesOf({ on }: Storages): Tables {
  const tables: Tables = Object.assign({}, ...on.map(({ tables }) => tables))
  const written = on.flatMap(({ writes = [] }) => writes).flatMap((name) => {
    const table = tables[name]
    return table
      ? [[name, { ...table, privileges: ["select", "insert", "update", "delete"] as const }]]
      : []
  })
  return { ...tables, ...Object.fromEntries(written) }
}

/** Returns true if a migration is one of the capability's storage, also if this version does not know it. */
export function isMigrationOf({ name }: UnusedStorage, migration: string): boolean {
  return migration.startsWith(`${name}-`) && /^\d{4}$/.test(migration.slice(name.length + 1))
}
