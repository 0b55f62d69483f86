import { type CreateTableBuilder, type Kysely, sql } from "kysely"
import type { Dialect } from "../dialect.ts"

type Builder = CreateTableBuilder<string, string>

/** Column names of an index, by the index's name. */
export type Indexes = Readonly<Record<string, string[]>>

/**
 * Creates a table with its indexes unless it is there, so that a migration which failed halfway
 * (MySQL commits each definition by itself) can simply be run again.
 */
export async function createTable(
  db: Kysely<unknown>,
  dialect: Dialect,
  name: string,
  define: (table: Builder) => Builder,
  indexes: Indexes = {},
): Promise<void> {
  const table = define(db.schema.createTable(name).ifNotExists())
  if (dialect.name === "mysql") {
    // MySQL has no `create index if not exists`, SQLite no index inside `create table`.
    await Object.entries(indexes)
      .reduce((all, [index, columns]) => all.addIndex(index, columns), table)
      .execute()
    return
  }
  await table.execute()
  for (const [index, columns] of Object.entries(indexes)) {
    await db.schema.createIndex(index).ifNotExists().on(name).columns(columns).execute()
  }
}

/** Adds `created` and `updated`, which default to the database's clock. */
export function stamps(dialect: Dialect): (table: Builder) => Builder {
  return (table) =>
    ["created", "updated"].reduce(
      (all, column) =>
        all.addColumn(
          column,
          dialect.types.seconds,
          (c) => c.notNull().defaultTo(sql`(${dialect.now})`),
        ),
      table,
    )
}

/** Adds an index to a table that is there already, unless it has it. */
export async function addIndex(
  db: Kysely<unknown>,
  dialect: Dialect,
  table: string,
  { name, columns }: { readonly name: string; readonly columns: readonly string[] },
): Promise<void> {
  const create = db.schema.createIndex(name).on(table).columns([...columns])
  if (dialect.name !== "mysql") return await create.ifNotExists().execute()
  const { rows } = await sql`select 1 from information_schema.statistics
    where table_schema = database() and table_name = ${table} and index_name = ${name}`.execute(db)
  if (rows.length === 0) await create.execute()
}
