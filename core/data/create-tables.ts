import { type ColumnDefinitionBuilder, type CreateTableBuilder, type Kysely, sql } from "kysely"
import type { Dialect } from "./dialect.ts"
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

/** Does nothing if the table is there: on MySQL a migration may have failed halfway. */
async function createTable(
  db: Kysely<unknown>,
  dialect: Dialect,
  name: string,
  { columns, key, unique = {}, indexes = {}, references = {}, checks = {} }: Table,
): Promise<void> {
  let table: CreateTableBuilder<string, string> = db.schema.createTable(name).ifNotExists()
  for (const [column, declared] of Object.entries(columns)) {
    const { kind, length = 0 } = declared
    const type = kind === "text" ? dialect.types.text(length) : dialect.types[kind]
    table = table.addColumn(column, type, (built) => constrain(built, declared, dialect))
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
