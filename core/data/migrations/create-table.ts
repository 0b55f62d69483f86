import { type CreateTableBuilder, type Kysely, sql } from "kysely"
import type { Dialect, Indexes } from "../dialect.ts"

type Builder = CreateTableBuilder<string, string>

/**
 * Creates a table with its indexes unless it exists, so that a migration that failed halfway can
 * simply be run again (MySQL commits each definition by itself).
 */
export async function createTable(
  db: Kysely<unknown>,
  { indexes: syntax }: Dialect,
  name: string,
  define: (table: Builder) => Builder,
  indexes: Indexes = {},
): Promise<void> {
  const table = define(db.schema.createTable(name).ifNotExists())
  await syntax.createTable(db, { name, table, indexes })
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

/** Adds an index to an existing table, unless the table has it. */
export async function addIndex(
  db: Kysely<unknown>,
  { indexes }: Dialect,
  table: string,
  index: { readonly name: string; readonly columns: readonly string[] },
): Promise<void> {
  await indexes.add(db, { table, ...index })
}
