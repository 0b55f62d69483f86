import { type ColumnDefinitionBuilder, type CreateTableBuilder, type Kysely, sql } from "kysely"
import type { ColumnType, Dialect } from "./dialect.ts"
import type { Migration } from "./storage.ts"
import type { Column, Table, Tables } from "./table.ts"

/**
 * Returns the migration that brings tables to what is declared: creates those that are missing, adds to the others the
 * columns and indexes that they lack, and then fills them. Takes nothing away.
 */
export function createBaseline(tables: Tables, fill?: Migration["up"]): Migration {
  return {
    async up(db, dialect) {
      const existing = new Map(
        (await db.introspection.getTables()).map(({ name, columns }) => [name, columns]),
      )
      for (const [name, table] of Object.entries(tables)) {
        const columns = existing.get(name)
        if (columns) await extendTable(db, dialect, { name, table, columns })
        else await createTable(db, dialect, name, table)
      }
      await fill?.(db, dialect)
    },
  }
}

/** A table of version 1, or, on MySQL, of a migration that has failed halfway. */
async function extendTable(
  db: Kysely<unknown>,
  dialect: Dialect,
  { name, table, columns }: {
    readonly name: string
    readonly table: Table
    readonly columns: readonly { readonly name: string }[]
  },
): Promise<void> {
  for (const [column, declared] of Object.entries(table.columns)) {
    if (columns.some((each) => each.name === column)) continue
    await db.schema.alterTable(name)
      .addColumn(column, typeOf(declared, dialect), (built) => constrain(built, declared, dialect))
      .execute()
  }
  for (const [index, columns] of Object.entries(table.indexes ?? {})) {
    await dialect.addIndex(db, { index, table: name, columns })
  }
}

async function createTable(
  db: Kysely<unknown>,
  dialect: Dialect,
  name: string,
  { columns, key, unique = {}, indexes = {}, references = {}, checks = {} }: Table,
): Promise<void> {
  let table: CreateTableBuilder<string, string> = db.schema.createTable(name).ifNotExists()
  for (const [column, declared] of Object.entries(columns)) {
    table = table.addColumn(
      column,
      typeOf(declared, dialect),
      (built) => constrain(built, declared, dialect),
    )
  }
  if (key) table = table.addPrimaryKeyConstraint(`${name}_pk`, [...key])
  for (const [name, columns] of Object.entries(unique)) {
    table = table.addUniqueConstraint(name, [...columns])
  }
  for (const [name, condition] of Object.entries(checks)) {
    table = table.addCheckConstraint(name, sql.raw(condition))
  }
  for (const [name, { columns, table: target, to, cascades }] of Object.entries(references)) {
    table = table.addForeignKeyConstraint(
      name,
      [...columns],
      target,
      [...to],
      (built) => cascades ? built.onDelete("cascade") : built,
    )
  }
  await dialect.createTable(db, { name, table, indexes })
}

function typeOf({ kind, length = 0 }: Column, { types }: Dialect): ColumnType {
  return kind === "text" ? types.text(length) : types[kind]
}

function constrain(
  built: ColumnDefinitionBuilder,
  { kind, isNullable, fallback }: Column,
  { now }: Dialect,
): ColumnDefinitionBuilder {
  // The column type already says NOT NULL.
  if (isNullable || kind === "hiddenVersion") return built
  const full = built.notNull()
  if (kind === "sequence") return full.primaryKey().autoIncrement()
  if (fallback === undefined) return full
  return full.defaultTo(fallback === "now" ? sql`(${now})` : fallback)
}
