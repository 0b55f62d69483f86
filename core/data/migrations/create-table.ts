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
