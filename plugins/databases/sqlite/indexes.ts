import type { IndexSyntax } from "../../../core/driver.ts"

/** Indexes on SQLite, which has none inside `create table`. */
export const sqliteIndexes: IndexSyntax = {
  createTable: async (db, { name, table, indexes }) => {
    await table.execute()
    for (const [index, columns] of Object.entries(indexes)) {
      await db.schema.createIndex(index).ifNotExists().on(name).columns([...columns]).execute()
    }
  },
  add: async (db, { table, name, columns }) => {
    await db.schema.createIndex(name).ifNotExists().on(table).columns([...columns]).execute()
  },
  replace: async (db, { table, name, columns }) => {
    await db.schema.dropIndex(name).ifExists().execute()
    await db.schema.createIndex(name).on(table).columns([...columns]).execute()
  },
}
