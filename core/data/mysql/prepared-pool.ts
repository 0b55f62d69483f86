import type { CompiledQuery, MysqlPool, MysqlPoolConnection } from "kysely"
import { type ColumnPacket, RawParser } from "./raw-row.ts"

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

/** A statement that has been sent. Once mysql2 knows the columns, it asks this for the row parser. */
interface Execution {
  buildParserFromFields(columns: readonly ColumnPacket[]): new () => RawParser
}

/** Marks a statement whose rows stay raw: it is the last of its values. */
const raw = Symbol("raw")

/** Makes a query keep its rows as they are sent (`RawRow`), through a `preparedPool` only. */
export function keepRaw(query: CompiledQuery): CompiledQuery {
  return { ...query, parameters: [...query.parameters, raw] }
}

/**
 * A pool for Kysely whose connections send statements with values by MySQL's binary protocol. Each
 * statement is parsed once per connection, and its rows take less work to decode.
 */
export function preparedPool(pool: Pool): MysqlPool {
  // Kysely recognizes a connection by its identity.
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
  const query = (sql: string, values: readonly unknown[], callback: Callback) => {
    if (values.at(-1) !== raw) {
      return values.length > 0
        ? connection.execute(sql, values, callback)
        : connection.query(sql, values, callback)
    }
    const execution = connection.execute(sql, values.slice(0, -1), callback) as Execution
    execution.buildParserFromFields = (columns) =>
      // One class for all statements: the engine optimizes a class, not each of many that look alike.
      RawParser.bind(undefined, columns) as never
    return execution
  }
  return {
    config: connection.config,
    threadId: connection.threadId,
    connect: () => {},
    query: query as MysqlPoolConnection["query"],
    release: () => connection.release(),
    destroy: () => connection.destroy(),
  }
}
