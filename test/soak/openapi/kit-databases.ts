import { DuckDBInstance } from "@duckdb/node-api"
import { PGlite } from "@electric-sql/pglite"
import mysql from "mysql2/promise"
import { DatabaseSync } from "node:sqlite"
import type { Test } from "tap"
import { freshUrl, withoutMysql } from "../../support/database.ts"

type Row = Readonly<Record<string, unknown>>

/** A database that a partner keeps a copy in. */
export interface CopyDatabase {
  run(statement: string, parameters?: readonly unknown[]): Promise<unknown>
  read(query: string): Promise<readonly Row[]>
}

/** How to open an empty database, by the name of its file of statements. */
export const copyDatabases: Readonly<
  Record<string, { readonly skip: false | string; open(t: Test): Promise<CopyDatabase> }>
> = {
  sqlite: { skip: false, open: openSqlite },
  postgresql: { skip: false, open: openPostgresql },
  duckdb: { skip: false, open: openDuckdb },
  mysql: { skip: withoutMysql, open: openMysql },
}

function openSqlite(t: Test): Promise<CopyDatabase> {
  const database = new DatabaseSync(":memory:")
  t.teardown(() => database.close())
  return Promise.resolve({
    run: (statement, parameters = []) =>
      Promise.resolve(database.prepare(statement).run(...parameters as string[])),
    read: (query) => Promise.resolve(database.prepare(query).all()),
  })
}

/** Opens PostgreSQL, compiled to WebAssembly. */
async function openPostgresql(t: Test): Promise<CopyDatabase> {
  const database = await PGlite.create()
  t.teardown(() => database.close())
  return {
    run: (statement, parameters = []) => database.query(statement, [...parameters]),
    read: async (query) => (await database.query<Row>(query)).rows,
  }
}

async function openDuckdb(t: Test): Promise<CopyDatabase> {
  const instance = await DuckDBInstance.create(":memory:")
  const connection = await instance.connect()
  t.teardown(() => {
    connection.closeSync()
    instance.closeSync()
  })
  return {
    run: (statement, parameters = []) => connection.run(statement, [...parameters] as string[]),
    read: async (query) => (await connection.runAndReadAll(query)).getRowObjectsJson(),
  }
}

async function openMysql(t: Test): Promise<CopyDatabase> {
  const connection = await mysql.createConnection(await freshUrl(t, "mysql"))
  t.teardown(() => connection.end())
  return {
    run: (statement, parameters = []) => connection.execute(statement, [...parameters] as string[]),
    read: async (query) => (await connection.query(query))[0] as Row[],
  }
}
