import type { Socket } from "node:net"
import type { CompiledQuery, MysqlPool, MysqlPoolConnection } from "kysely"
import { type ColumnPacket, RawParser } from "./raw-row.ts"

/** The part of mysql2's pool that is used here. */
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

type Callback = (error: unknown, result: never) => void
type Send = (sql: string, values: readonly unknown[], callback: Callback) => unknown

/** A statement that has been sent. Once mysql2 knows the columns, it gets the row parser from here. */
interface Execution {
  buildParserFromFields(columns: readonly ColumnPacket[]): new () => RawParser
}

/**
 * Makes a pool for Kysely whose connections are given up if the server does not answer a statement
 * within `patience` milliseconds. A firewall or a proxy may have forgotten the connection: nothing
 * arrives any more, and the system waits for a quarter of an hour before it says so.
 */
export function boundedPool(pool: Pool, patience: number): MysqlPool {
  return poolOf(
    pool,
    (connection) => bounded(connection, connection.query.bind(connection), patience),
  )
}

/**
 * Like `boundedPool`, but its connections send statements with values by MySQL's binary protocol. Each
 * statement is parsed once per connection, and its rows take less work to decode.
 */
export function preparedPool(pool: Pool, patience: number): MysqlPool {
  return poolOf(pool, (connection) => bounded(connection, preparedSend(connection), patience))
}

/** Makes a query keep its rows as they are sent (`RawRow`), through a `preparedPool` only. */
export function keepRaw(query: CompiledQuery): CompiledQuery {
  return { ...query, parameters: [...query.parameters, raw] }
}

/** Marks a statement whose rows stay raw. It is the last of the values, and is not sent. */
const raw = Symbol("raw")

function poolOf(pool: Pool, sendOf: (connection: Connection) => Send): MysqlPool {
  // Kysely recognizes a connection by its identity.
  const known = new WeakMap<Connection, MysqlPoolConnection>()
  return {
    end: (callback) => pool.end(callback),
    getConnection: (callback) =>
      pool.getConnection((error, connection) => {
        if (error) return callback(error, undefined as never)
        const wrapped = known.get(connection) ?? wrap(connection, sendOf(connection))
        known.set(connection, wrapped)
        callback(undefined, wrapped)
      }),
  }
}

function wrap(connection: Connection, send: Send): MysqlPoolConnection {
  return {
    config: connection.config,
    threadId: connection.threadId,
    connect: () => {},
    query: send as MysqlPoolConnection["query"],
    release: () => connection.release(),
    destroy: () => connection.destroy(),
  }
}

function bounded(connection: Connection, send: Send, patience: number): Send {
  // mysql2's own `destroy` would wait for the other end. Its types do not mention the socket.
  const { stream } = connection as Connection & { readonly stream: Socket }
  const giveUp = () => stream.destroy(new ConnectionLost(patience))
  return (sql, values, callback) => {
    const timer = setTimeout(giveUp, patience)
    return send(sql, values, (error, result) => {
      clearTimeout(timer)
      callback(error, result)
    })
  }
}

class ConnectionLost extends Error {
  readonly code = "ETIMEDOUT"

  constructor(patience: number) {
    super(`The database has not answered for ${patience} ms: the connection is given up.`)
  }
}

function preparedSend(connection: Connection): Send {
  return (sql, values, callback) => {
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
}
