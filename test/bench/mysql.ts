import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import process from "node:process"
import mysql from "mysql2/promise"
import { startMysql } from "../support/mysql-server.ts"

/** A database of its own on a running server. */
export interface BenchMysql {
  /** With the database in it. */
  readonly url: string
  readonly version: string
  /** The server's process; undefined where it is not on this machine. */
  readonly pid: number | undefined
  /** Drops the database; ends the server, if it was started here. */
  stop(): Promise<void>
}

/**
 * Starts MySQL in the same ways as the tests, with memory as in production; a server that was given
 * (TEST_DATABASE_URL, or TEST_MYSQL_URL) is left as it is set up.
 *
 * @throws {Error} where there is none.
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

/** The tests' server has just enough memory for the tests. */
async function enlarge(connection: mysql.Connection): Promise<void> {
  await connection.query(`set global innodb_buffer_pool_size = ${1024 * megabyte}`)
  // MariaDB knows no such variable; its log is as large as it was begun.
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
