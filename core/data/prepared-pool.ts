import type { MysqlPool, MysqlPoolConnection } from "kysely"

type Callback = (error: unknown, result: never) => void

/** What is needed of mysql2's pool. */
interface Pool {
  getConnection(callback: (error: unknown, connection: Connection) => void): void
  end(callback: (error: unknown) => void): void
}

interface Connection {
  readonly config: object
  readonly threadId: number
  query(sql: string, values: unknown, callback: Callback): unknown
  execute(sql: string, values: unknown, callback: Callback): unknown
  release(): void
  destroy(): void
}

/**
 * A pool for Kysely whose connections send statements with values by MySQL's binary protocol: each
 * is parsed once a connection, and its rows take less work to read.
 */
export function preparedPool(pool: Pool): MysqlPool {
  // Kysely knows a connection again by its identity.
  const known = new WeakMap<Connection, MysqlPoolConnection>()
  return {
    end: (callback) => pool.end(callback),
    getConnection: (callback) =>
      pool.getConnection((error, connection) => {
        if (error) return callback(error, undefined as never)
        const prepared = known.get(connection) ?? preparedConnection(connection)
        known.set(connection, prepared)
        callback(undefined, prepared)
      }),
  }
}

function preparedConnection(connection: Connection): MysqlPoolConnection {
  const query = (sql: string, values: readonly unknown[], callback: Callback) =>
    values.length > 0
      ? connection.execute(sql, values, callback)
      : connection.query(sql, values, callback)
  return {
    config: connection.config,
    threadId: connection.threadId,
    connect: () => {},
    query: query as MysqlPoolConnection["query"],
    release: () => connection.release(),
    destroy: () => connection.destroy(),
  }
}
