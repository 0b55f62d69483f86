import { sql } from "kysely"
import type { IndexSyntax } from "../dialect.ts"

/** Indexes on MySQL, which has no `create index if not exists`. */
export const mysqlIndexes: IndexSyntax = {
  createTable: async (_db, { table, indexes }) => {
    await Object.entries(indexes)
      .reduce((all, [index, columns]) => all.addIndex(index, columns), table)
      .execute()
  },
  add: async (db, { table, name, columns }) => {
    const { rows } = await sql`select 1 from information_schema.statistics
      where table_schema = database() and table_name = ${table} and index_name = ${name}`
      .execute(db)
    if (rows.length > 0) return
    await db.schema.createIndex(name).on(table).columns([...columns]).execute()
  },
}
