import { type Kysely, sql } from "kysely"
import type { IndexSyntax, TableIndex } from "../dialect.ts"

/** Indexes on MySQL, which has no `create index if not exists`. */
export const mysqlIndexes: IndexSyntax = {
  createTable: async (_db, { table, indexes }) => {
    await Object.entries(indexes)
      .reduce((all, [index, columns]) => all.addIndex(index, [...columns]), table)
      .execute()
  },
  add: async (db, index) => {
    if (!await exists(db, index)) await create(db, index)
  },
  replace: async (db, index) => {
    const { table, name, columns } = index
    if (!await exists(db, index)) return await create(db, index)
    // One statement: readers always find an index, and a failure leaves the former one.
    await sql`alter table ${sql.table(table)} drop index ${sql.ref(name)}, add index ${
      sql.ref(name)
    } (${sql.join(columns.map((column) => sql.ref(column)))})`.execute(db)
  },
}

async function exists(db: Kysely<unknown>, { table, name }: TableIndex): Promise<boolean> {
  const { rows } = await sql`select 1 from information_schema.statistics
    where table_schema = database() and table_name = ${table} and index_name = ${name}`.execute(db)
  return rows.length > 0
}

async function create(db: Kysely<unknown>, { table, name, columns }: TableIndex): Promise<void> {
  await db.schema.createIndex(name).on(table).columns([...columns]).execute()
}
