import { allStorages } from "../storages.ts"
import process from "node:process"
import mysql, { type Connection, type RowDataPacket } from "mysql2/promise"
import { migrate } from "../../../core/data/migrate.ts"
import { openDatabase } from "../../../core/data/open.ts"
import type { Storages } from "../../../core/data/storage.ts"

/** A migrated database that tests use one after the other: emptying it takes a tenth of the time of making another. */
interface Pooled {
  readonly url: string
  /** What a new database has besides its tables: `insert` statements. */
  readonly rows: readonly string[]
  /** Tells when its tables and triggers were made. */
  shape: string
}

/** Those that no test of this process has. */
const free: Pooled[] = []
const taken = new Map<string, Pooled>()

/** Creates an empty database, and returns its URL. */
export async function createMysql(): Promise<string> {
  const url = new URL(process.env["TEST_MYSQL_URL"] ?? "")
  const name = `test_${crypto.randomUUID().replaceAll("-", "")}`
  await withConnection(url.href, (connection) => connection.query(`create database ${name}`))
  url.pathname = `/${name}`
  return url.href
}

/** Removes a database. */
export async function dropMysql(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1)
  await withConnection(url, (connection) => connection.query(`drop database ${name}`))
}

/** Returns the URL of a migrated database without records, and with an epoch of its own. */
export async function takeMysql(): Promise<string> {
  const pooled = free.pop() ?? await makePooled()
  taken.set(pooled.url, pooled)
  // Its tables are there: this notes when they were made.
  await migrateMysql(pooled.url)
  return pooled.url
}

/** Makes what is missing in a database, for some storages. */
export async function migrateMysql(url: string, storages: Storages = allStorages): Promise<void> {
  const database = await openDatabase(url, { connections: 1, timeLimit: 60, storages })
  await migrate(database)
  await database.close()
}

/** Empties a database for the next test, or removes it if the test has changed its tables or triggers. */
export async function giveBackMysql(url: string): Promise<void> {
  const pooled = taken.get(url)
  if (pooled === undefined) throw new Error(`nobody has taken ${url}`)
  taken.delete(url)
  if (!await empty(pooled)) return await dropMysql(url)
  free.push(pooled)
  if (!process.listeners("beforeExit").includes(dropFree)) process.once("beforeExit", dropFree)
}

async function dropFree(): Promise<void> {
  for (const { url } of free.splice(0)) await dropMysql(url)
}

async function makePooled(): Promise<Pooled> {
  const url = await createMysql()
  await migrateMysql(url)
  return await withConnection(url, async (connection) => {
    const rows: string[] = []
    for (const name of await filledTables(connection)) {
      // A new database does not know yet when its tables were made.
      if (name === "watched_table") continue
      const [values] = await connection.query<RowDataPacket[]>(`select * from ${name}`)
      for (const each of values) rows.push(mysql.format(`insert into ${name} set ?`, [each]))
    }
    const pooled = { url, rows, shape: await shapeOf(connection) }
    await renew(connection, pooled)
    return pooled
  })
}

/** Returns whether the database is as new. It is not if its tables have changed, or a test still holds locks. */
async function empty(pooled: Pooled): Promise<boolean> {
  return await withConnection(pooled.url, async (connection) => {
    if (await shapeOf(connection) !== pooled.shape) return false
    await connection.query("set innodb_lock_wait_timeout = 5")
    try {
      await deleteAll(connection)
      // Once more, because triggers have written what was deleted.
      await renew(connection, pooled)
      await restartNumbers(connection)
      pooled.shape = await shapeOf(connection)
      return true
    } catch (error) {
      if ((error as { code?: string }).code === "ER_LOCK_WAIT_TIMEOUT") return false
      throw error
    }
  })
}

/** Deletes all rows, but for those that triggers write meanwhile. */
async function deleteAll(connection: Connection): Promise<void> {
  const names = await filledTables(connection)
  await connection.query([
    "set foreign_key_checks = 0",
    ...names.map((name) => `delete from ${name}`),
  ].join(";"))
}

async function renew(connection: Connection, { rows }: Pooled): Promise<void> {
  await deleteAll(connection)
  await connection.query([
    ...rows,
    "update change_state set epoch = floor(rand() * 4503599627370495)",
  ].join(";"))
}

/** Lets the numbers of rows begin anew. */
async function restartNumbers(connection: Connection): Promise<void> {
  // MySQL would remember the next numbers for a day; MariaDB has no such variable.
  await connection.query("set information_schema_stats_expiry = 0").catch(() => {})
  const [numbered] = await connection.query<RowDataPacket[]>(
    `select table_name as name from information_schema.tables
    where table_schema = database() and auto_increment > 1`,
  )
  for (const { name } of numbered) {
    await connection.query(`alter table ${name} auto_increment = 1`)
  }
}

async function filledTables(connection: Connection): Promise<string[]> {
  const [tables] = await connection.query<RowDataPacket[]>("show tables")
  const names = tables.map((row) => String(Object.values(row)[0]))
  const [filled] = await connection.query<RowDataPacket[]>(
    names.map((name) => `(select '${name}' as name from ${name} limit 1)`).join(" union all "),
  )
  return filled.map(({ name }) => String(name))
}

async function shapeOf(connection: Connection): Promise<string> {
  const [tables] = await connection.query<RowDataPacket[]>(
    `select table_name as name, create_time as made from information_schema.tables
    where table_schema = database() order by table_name`,
  )
  const [triggers] = await connection.query<RowDataPacket[]>(
    `select trigger_name as name, created as made from information_schema.triggers
    where trigger_schema = database() order by trigger_name`,
  )
  return JSON.stringify([tables, triggers])
}

async function withConnection<Result>(
  uri: string,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection = await mysql.createConnection({ uri, multipleStatements: true })
  try {
    return await work(connection)
  } finally {
    await connection.end()
  }
}
