import { CompiledQuery, Kysely, type MysqlPool } from "kysely"
import mysql from "mysql2"
import type { DatabaseHandles, DatabaseOptions, Dialect, Schema } from "../../../core/driver.ts"
import { boundedPool, patientPool, type Pool, quietDialect, reporter, silence } from "./pool.ts"
import { setSession } from "./session-settings.ts"

/** Creates a pool with at most this number of connections, which connects on first use. */
export type CreatePool = (connections: number, idle?: Pick<mysql.PoolOptions, "maxIdle">) => Pool

/** Returns a function that creates pools of connections to one server. */
export function poolsOf(target: mysql.ConnectionOptions): CreatePool {
  return (connections, idle = {}) =>
    mysql.createPool({
      ...target,
      ...idle,
      connectionLimit: connections,
      queueLimit: 100 * connections,
      maxPreparedStatements: 200,
    })
}

/** Creates a handle. New connections first set the variables on which all statements rely, then run `statements`. */
export function connect(
  pool: MysqlPool,
  statements: readonly string[],
  onStatement?: DatabaseOptions["onStatement"],
): Kysely<Schema> {
  return new Kysely<Schema>({
    dialect: quietDialect({
      pool,
      controlConnection: (settings) => mysql.createConnection(settings as mysql.ConnectionOptions),
      onCreateConnection: async (connection) => {
        silence(connection)
        for (const statement of [setSession, ...statements]) {
          await connection.executeQuery(CompiledQuery.raw(statement))
        }
      },
    }),
    ...onStatement && { log: reporter(onStatement) },
  })
}

/** Creates the handles of a database. */
export function connectionsBy(
  createPool: CreatePool,
  dialect: Dialect,
  options: DatabaseOptions,
): DatabaseHandles {
  const limitTo = (seconds: number) =>
    dialect.version.startsWith("MariaDB")
      ? `set session max_statement_time = ${seconds}`
      : `set session max_execution_time = ${Math.round(seconds * 1000)}`
  const limit = limitTo(options.timeLimit)
  // The server stops reads and lock waits at the time limit. Writes may take longer.
  const patience = 2000 * options.timeLimit + 1000
  const handle = (pool: MysqlPool, ...statements: string[]) =>
    connect(pool, statements, options.onStatement)
  const readerOf = (pool: Pool) =>
    handle(
      boundedPool(pool, patience),
      "set session transaction isolation level repeatable read, read only",
      limit,
    )
  const writes = "set session transaction isolation level repeatable read, read write"
  // Created when needed: its pool's timer keeps a process alive.
  let long: Kysely<Schema> | undefined

  return {
    dialect,
    readers: options.connections,
    reader: readerOf(createPool(options.connections)),
    long: {
      use: (work) => work(long ??= readerOf(createPool(1000, { maxIdle: 0 }))),
      destroy: async () => await long?.destroy(),
    },
    writer: handle(
      boundedPool(createPool(Math.max(2, Math.ceil(options.connections / 4))), patience),
      writes,
      waitForLocks(Math.max(1, Math.round(options.timeLimit))),
      limit,
    ),
    background: handle(boundedPool(createPool(1), patience), writes, waitForLocks(1), limit),
    // Altering a table waits for all statements that use it, and all later ones queue behind that.
    migrator: handle(
      patientPool(createPool(1)),
      writes,
      "set session lock_wait_timeout = 2",
      limitTo(0),
    ),
  }
}

/** Returns the statement that limits how long a session waits for rows and for tables. */
function waitForLocks(seconds: number): string {
  return `set session innodb_lock_wait_timeout = ${seconds}, lock_wait_timeout = ${seconds}`
}
