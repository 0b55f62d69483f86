import { allStorages } from "../storages.ts"
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite"
import { CompiledQuery, Kysely, MysqlDialect, sql, SqliteDialect } from "kysely"
import mysql from "mysql2"
import { Database } from "../../../core/data/database.ts"
import type { Dialect } from "../../../core/data/dialect.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { openMysql } from "../../../plugins/databases/mysql/open-mysql.ts"
import { mysqlTriggers } from "../../../plugins/databases/mysql/triggers.ts"
import type { Schema } from "../../../core/data/schema.ts"
import { openSqlite } from "../../../plugins/databases/sqlite/open-sqlite.ts"
import type { Engine } from "../database.ts"

/** The current time of a database and its writers, in Unix seconds. */
export interface Clock {
  now: number
}

/** A migrated database with a clock that the test moves. */
export interface ClockedDatabase {
  readonly engine: Engine
  readonly clock: Clock
  readonly database: Database
  /** Opens a connection, on which triggers read the clock too. */
  connect(): ClockedWriter
  close(): Promise<void>
}

/** A connection that writes. */
export interface ClockedWriter {
  readonly db: Kysely<Schema>
  /** Sets the connection to the time of the clock. MySQL keeps it until the next call. */
  stamp(db: Kysely<Schema>): Promise<unknown>
}

/** Opens a database, migrates it and gives it a clock. */
export async function openClocked(engine: Engine, url: string): Promise<ClockedDatabase> {
  const clock: Clock = { now: 1_750_000_000 }
  const options = { connections: 4, timeLimit: 10, storages: allStorages }
  const connections = await (engine === "mysql" ? openMysql : openSqlite)(url, options)
  const triggers = engine === "mysql"
    ? mysqlTriggers("set stamp = @clock;")
    : connections.dialect.triggers
  // A parameter, so that statements are prepared once. Defaults of columns have none.
  const at = (time: number) => isMigrated ? sql<number>`cast(${time} as signed)` : sql.lit(time)
  const dialectAt = (time: number): Dialect => ({
    ...connections.dialect,
    triggers,
    now: sql<number>`${at(time)}`,
  })
  let isMigrated = false
  const writer = engine === "mysql" ? connectMysql(url, 4, clock) : connections.writer
  const database = new Database({ ...connections, writer }, options)
  // Statements are compiled once per dialect.
  let time = clock.now
  let dialect = dialectAt(time)
  Object.defineProperty(database, "dialect", {
    get() {
      if (time !== clock.now) dialect = dialectAt(time = clock.now)
      return dialect
    },
  })
  await migrate(database)
  isMigrated = true
  dialect = dialectAt(time)
  const writers: Kysely<Schema>[] = []
  return {
    engine,
    clock,
    database,
    connect() {
      const db = engine === "mysql" ? connectMysql(url, 1, clock) : connectSqlite(url, clock)
      writers.push(db)
      let stamped: number | undefined
      const stamp = async (db: Kysely<Schema>) => {
        if (engine === "sqlite" || stamped === clock.now) return
        await sql`set @clock = ${sql.lit(clock.now)}`.execute(db)
        stamped = clock.now
      }
      return { db, stamp }
    },
    async close() {
      for (const db of writers) await db.destroy()
      await database.close()
    },
  }
}

/**
 * Opens connections whose triggers read the clock of the test: as it is at the beginning of a transaction,
 * unless `stamp` moves it. Uses read committed, so that an open transaction locks the records that it
 * changed, and no gaps beside them.
 */
function connectMysql(url: string, connectionLimit: number, clock: Clock): Kysely<Schema> {
  const pool = mysql.createPool({ uri: url, connectionLimit })
  const statement = "set session transaction isolation level read committed"
  return new Kysely({
    dialect: new MysqlDialect({
      pool,
      onCreateConnection: async (connection) => {
        await connection.executeQuery(CompiledQuery.raw(statement))
      },
      onReserveConnection: async (connection) => {
        await connection.executeQuery(CompiledQuery.raw(`set @clock = ${clock.now}`))
      },
    }),
  })
}

/** Opens a connection with its own `unixepoch()`, which triggers call. */
function connectSqlite(url: string, clock: Clock): Kysely<Schema> {
  const file = new DatabaseSync(url.slice("sqlite:".length), { timeout: 10_000 })
  file.exec("pragma foreign_keys = on; pragma synchronous = off")
  file.function("unixepoch", () => clock.now)
  const statements = new Map<string, StatementSync>()
  const database = {
    close: () => file.close(),
    prepare(text: string) {
      const statement = statements.get(text) ?? file.prepare(text)
      statements.set(text, statement)
      const bound = (parameters: readonly unknown[]) => parameters as SQLInputValue[]
      return {
        reader: statement.columns().length > 0,
        all: (parameters: readonly unknown[]) => statement.all(...bound(parameters)),
        run: (parameters: readonly unknown[]) => statement.run(...bound(parameters)),
        iterate: (parameters: readonly unknown[]) => statement.iterate(...bound(parameters)),
      }
    },
  }
  return new Kysely({ dialect: new SqliteDialect({ database }) })
}
