import { type ColumnDefinitionBuilder, type CreateTableBuilder, type Kysely, sql } from "kysely"
import type { ColumnType, Dialect } from "./dialect.ts"
import type { Migration } from "./storage.ts"
import type { Column, Table, Tables } from "./table.ts"

/** Returns the migration that creates tables as they are declared, except those that are there. */
export function creating(tables: Tables): Migration {
  return {
    async up(db, dialect) {
      for (const [name, table] of Object.entries(tables)) {
        await createTable(db, dialect, name, table)
      }
    },
  }
}

/** Does nothing if the table is there: MySQL commits each definition by itself, so a migration may have failed halfway. */
async function createTable(
  db: Kysely<unknown>,
  dialect: Dialect,
  name: string,
  { columns, key, unique = {}, indexes = {}, references = {}, checks = {} }: Table,
): Promise<void> {
  let table: CreateTableBuilder<string, string> = db.schema.createTable(name).ifNotExists()
  for (const [column, declared] of Object.entries(columns)) {
    const define = (built: ColumnDefinitionBuilder) => constrain(built, declared, dialect)
    table = table.addColumn(column, typeOf(declared, dialect), define)
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
  // Its type says all of it.
  if (isNullable || kind === "hiddenVersion") return built
  const full = built.notNull()
  if (kind === "sequence") return full.primaryKey().autoIncrement()
  if (fallback === undefined) return full
  return full.defaultTo(fallback === "now" ? sql`(${now})` : fallback)
}
