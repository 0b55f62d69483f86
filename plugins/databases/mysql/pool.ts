import { Buffer } from "node:buffer"
import type { Socket } from "node:net"
import {
  type AbortableOperationOptions,
  type DatabaseConnection,
  type LogEvent,
  MysqlDialect,
  type MysqlDialectConfig,
  MysqlDriver,
  type MysqlPool,
  type MysqlPoolConnection,
} from "kysely"
import type { DatabaseOptions } from "../../../core/driver.ts"

/** The part of mysql2's pool used here. */
export interface Pool {
  getConnection(callback: (error: unknown, connection: Connection) => void): void
  end(callback: (error: unknown) => void): void
}

interface Connection {
  readonly config: object
  readonly threadId: number
  query(sql: string, values: unknown, callback: Callback): unknown
  execute(sql: string, values: unknown, callback: Callback): unknown
  unprepare(sql: string): unknown
  release(): void
  destroy(): void
}

type Callback = (error: unknown, result: never) => void
type Send = (sql: string, values: readonly unknown[], callback: Callback) => unknown

/**
 * Creates a pool for Kysely that sends statements with values by MySQL's binary protocol: values never become part of
 * the SQL, so no SQL mode can change their quoting. Closes a connection on which the server does not answer within
 * `patience` milliseconds: a firewall may have dropped it, and the system only reports that after a quarter of an hour.
 */
export function boundedPool(pool: Pool, patience: number): MysqlPool {
  return poolOf(pool, (connection) => bounded(connection, sizedSend(connection), patience))
}

/** Like `boundedPool`, but waits for the server indefinitely. */
export function patientPool(pool: Pool): MysqlPool {
  return poolOf(pool, sizedSend)
}

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
  // mysql2's own `destroy` would wait for the other end. Its types omit the socket.
  const { stream } = connection as Connection & { readonly stream: Socket }
  const giveUp = () => {
    const message = `The database has not answered for ${patience} ms: the connection is given up.`
    stream.destroy(Object.assign(new Error(message), { code: "ETIMEDOUT" }))
  }
  return (sql, values, callback) => {
    const timer = setTimeout(giveUp, patience)
    return send(sql, values, (error, result) => {
      clearTimeout(timer)
      callback(error, result)
    })
  }
}

/** The bytes that every server accepts in a statement. */
const alwaysTaken = 1000

/** Refuses a statement that is too large for the server, which would close the connection without an error. */
function sizedSend(connection: Connection): Send {
  const send = preparedSend(connection)
  // This does not change during a connection.
  let most: number | undefined
  return (sql, values, callback) => {
    // A character has at most three bytes. Counting the exact bytes of every statement would take time.
    const bound = sizeOf(sql, values, ({ length }) => 3 * length)
    if (bound <= Math.max(most ?? 0, alwaysTaken)) return send(sql, values, callback)
    const sendIfTaken = (most: number) => {
      const size = sizeOf(sql, values, Buffer.byteLength)
      if (size <= most) return send(sql, values, callback)
      const message = `A statement has ${size} bytes, and max_allowed_packet is ${most}`
      return callback(Object.assign(new Error(message), { code: tooLarge }), undefined as never)
    }
    if (most !== undefined) return sendIfTaken(most)
    const asked = "select @@session.max_allowed_packet as most"
    return connection.query(asked, [], (error, rows: readonly { readonly most: number }[]) => {
      if (error) return callback(error, undefined as never)
      const [row] = rows
      // Until the session is set up, the server's `sql_select_limit` may be 0.
      if (!row) return send(sql, values, callback)
      most = Number(row.most)
      sendIfTaken(most)
    })
  }
}

const tooLarge = "ER_NET_PACKET_TOO_LARGE"

/** Returns the larger size of a statement and its values, in bytes: the values follow in their own packet. */
function sizeOf(
  sql: string,
  values: readonly unknown[],
  lengthOf: (text: string) => number,
): number {
  const bytesOf = (value: unknown) => 16 + (typeof value === "string" ? lengthOf(value) : 0)
  return Math.max(bytesOf(sql), values.reduce<number>((sum, value) => sum + bytesOf(value), 16))
}

/** How often a statement may be prepared again because triggers or tables have changed. */
const mostPrepared = 10

function preparedSend(connection: Connection): Send {
  const execute = (sql: string, values: readonly unknown[], callback: Callback, left: number) => {
    connection.execute(sql, values, (error, result) => {
      const { code } = (error ?? {}) as { code?: unknown }
      if (code !== "ER_NEED_REPREPARE" || left === 0) return callback(error, result)
      // The statement has not begun.
      connection.unprepare(sql)
      execute(sql, values, callback, left - 1)
    })
  }
  return (sql, values, callback) =>
    values.length > 0
      ? execute(sql, values, callback, mostPrepared)
      : connection.query(sql, values, callback)
}

/**
 * Kysely's dialect for MySQL, without its lines on standard error about statements that fail after their signal
 * aborted: their callers know, and the log may only contain lines of JSON. Call `silence` for each connection.
 */
export function quietDialect(config: MysqlDialectConfig): MysqlDialect {
  return Object.assign(new MysqlDialect(config), {
    createDriver: () => new QuietMysqlDriver(config),
  })
}

class QuietMysqlDriver extends MysqlDriver {
  override async acquireConnection(
    options?: AbortableOperationOptions,
  ): Promise<DatabaseConnection> {
    try {
      return await super.acquireConnection(options)
    } catch (error) {
      // There is nothing to release, and nobody waits for the result.
      if (options?.signal?.aborted) return await new Promise(() => {})
      throw error
    }
  }
}

/** Suppresses the errors of statements that fail after they were aborted: their callers have the signal's reason. */
export function silence(connection: DatabaseConnection): void {
  const { executeQuery, cancelQuery } = connection
  connection.executeQuery = async (query, options) => {
    try {
      return await executeQuery.call(connection, query, options) as never
    } catch (error) {
      if (options?.signal?.aborted) return { rows: [] }
      throw error
    }
  }
  // If the server cannot be reached, its own time limit stops the statement.
  connection.cancelQuery = async (provider) => {
    await cancelQuery?.call(connection, provider).catch(() => {})
  }
}

/** Returns a logger for Kysely that calls `onStatement` for each statement. */
export function reporter(onStatement: Required<DatabaseOptions>["onStatement"]) {
  return (event: LogEvent) => {
    if (event.level === "query") onStatement(event.query.sql, event.queryDurationMillis)
  }
}
