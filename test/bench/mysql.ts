import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import process from "node:process"
import mysql from "mysql2/promise"
import { startMysql } from "../support/mysql-server.ts"

/** A separate database on a running server. */
export interface BenchMysql {
  /** The URL of the database. */
  readonly url: string
  readonly version: string
  /** The server's process; undefined if it is not on this machine. */
  readonly pid: number | undefined
  /** Drops the database, and stops the server if it was started here. */
  stop(): Promise<void>
}

/**
 * Starts MySQL in the same ways as the tests, with as much memory as in production. Does not change
 * the settings of a server from TEST_DATABASE_URL or TEST_MYSQL_URL.
 *
 * @throws {Error} if there is none.
 */
export async function openBenchMysql(signal: AbortSignal): Promise<BenchMysql> {
  const given = process.env["TEST_MYSQL_URL"]
  const server = given ? { url: given, stop: async () => {} } : await startMysql(signal)
  if (!server) throw new Error("There is no MySQL to measure with. Nothing was measured.")
  const name = `bench_${randomUUID().replaceAll("-", "")}`
  const url = new URL(server.url)
  const connection = await mysql.createConnection(url.href)
  try {
    if (!given && !process.env["TEST_DATABASE_URL"]) await enlarge(connection)
    await connection.query(`create database ${name}`)
    const [version, pidFile] = await variables(connection)
    url.pathname = `/${name}`
    return {
      url: url.href,
      version: String(version),
      pid: pidIn(String(pidFile)),
      stop: async () => {
        await connection.query(`drop database ${name}`)
        await connection.end()
        await server.stop()
      },
    }
  } catch (error) {
    connection.destroy()
    await server.stop()
    throw error
  }
}

const megabyte = 1024 ** 2

/** Raises the memory of the tests' server, which has just enough for the tests. */
async function enlarge(connection: mysql.Connection): Promise<void> {
  await connection.query(`set global innodb_buffer_pool_size = ${1024 * megabyte}`)
  // MariaDB has no such variable; its log keeps the size that it was created with.
  await connection.query(`set global innodb_redo_log_capacity = ${512 * megabyte}`).catch(
    (error: { code?: string }) => {
      if (error.code !== "ER_UNKNOWN_SYSTEM_VARIABLE") throw error
    },
  )
}

async function variables(connection: mysql.Connection): Promise<unknown[]> {
  const [rows] = await connection.query({
    sql: "select version(), @@global.pid_file",
    rowsAsArray: true,
  })
  return (rows as unknown[][])[0] ?? []
}

function pidIn(file: string): number | undefined {
  try {
    return Number(readFileSync(file, "utf8").trim()) || undefined
  } catch {
    return undefined
  }
}
