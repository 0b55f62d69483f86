import { CompiledQuery, Kysely, type LogEvent, MysqlDialect, type MysqlPool, sql } from "kysely"
import mysql from "mysql2"
import type { DatabaseOptions } from "../database.ts"
import type { Connections, Dialect } from "../dialect.ts"
import { readConnectionOptions } from "./connection-options.ts"
import { mysqlIndexes } from "./indexes.ts"
import { mysqlInspection } from "./inspection.ts"
import { boundedPool, preparedPool } from "./pool.ts"
import { removeStandIns, replaceTrigger } from "./replace-trigger.ts"
import { keepHistory, mark, mysqlTriggers } from "./triggers.ts"
import type { Schema } from "../schema.ts"

/**
 * Connects to MySQL 8.4+ or MariaDB 10.11+.
 *
 * Every connection for reading is set to read-only snapshots and a time limit. The server enforces
 * both, so no query can forget them.
 */
export async function openMysql(url: string, options: DatabaseOptions): Promise<Connections> {
  const target = readConnectionOptions(url)
  const version = await serverVersion(target)
  const isMariaDb = version.includes("MariaDB")
  const limitTo = (seconds: number) =>
    isMariaDb
      ? `set session max_statement_time = ${seconds}`
      : `set session max_execution_time = ${Math.round(seconds * 1000)}`
  const limit = limitTo(options.timeLimit)
  // The server stops reading and waiting for locks at the time limit. Writing may take longer.
  const patience = 2000 * options.timeLimit + 1000

  const poolOf = (connections: number, idle: Pick<mysql.PoolOptions, "maxIdle"> = {}) =>
    mysql.createPool({
      ...target,
      ...idle,
      connectionLimit: connections,
      queueLimit: 100 * connections,
      maxPreparedStatements: 200,
    })
  const connect = (pool: MysqlPool, ...statements: string[]) =>
    new Kysely<Schema>({
      dialect: new MysqlDialect({
        pool,
        controlConnection: (settings) =>
          mysql.createConnection(settings as mysql.ConnectionOptions),
        onCreateConnection: async (connection) => {
          for (const statement of statements) {
            await connection.executeQuery(CompiledQuery.raw(statement))
          }
        },
      }),
      ...options.onStatement && { log: reporter(options.onStatement) },
    })

  const readerOf = (pool: mysql.Pool) =>
    connect(
      preparedPool(pool, patience),
      "set session transaction isolation level repeatable read, read only",
      limit,
    )
  // Made when it is needed: its pool looks for idle connections, which keeps a process alive. Whoever reads for
  // long limits how many do.
  let long: Kysely<Schema> | undefined

  return {
    dialect: dialectFor(version, isMariaDb),
    readers: options.connections,
    reader: readerOf(poolOf(options.connections)),
    long: {
      use: (work) => work(long ??= readerOf(poolOf(1000, { maxIdle: 0 }))),
      destroy: async () => await long?.destroy(),
    },
    writer: connect(
      boundedPool(poolOf(Math.max(2, Math.ceil(options.connections / 4))), patience),
      waitForLocks(Math.max(1, Math.round(options.timeLimit))),
      limit,
    ),
    background: connect(boundedPool(poolOf(1), patience), waitForLocks(1), limit),
    // A change of a table waits for all who use it, and everybody else waits behind it.
    migrator: connect(poolOf(1), "set session lock_wait_timeout = 2", limitTo(0)),
  }
}

/** Returns the statement that limits how long a session waits for rows and for tables. */
function waitForLocks(seconds: number): string {
  return `set session innodb_lock_wait_timeout = ${seconds}, lock_wait_timeout = ${seconds}`
}

function dialectFor(version: string, isMariaDb: boolean): Dialect {
  const collation = isMariaDb ? "utf8mb4_unicode_520_ci" : "utf8mb4_0900_ai_ci"
  const people = `character set utf8mb4 collate ${collation}`
  return {
    name: "mysql",
    version: isMariaDb ? `MariaDB ${version.split("-")[0]}` : `MySQL ${version}`,
    now: sql<number>`unix_timestamp()`,
    onTimeout: "cancel query",
    byPrimaryKey: sql`force index (primary)`,
    byIndex: (table, index) => sql.raw(`/*+ index(${table} ${index}) */`),
    tableOf: (ids) =>
      sql`json_table(${JSON.stringify(ids)}, '$[*]' columns (
        place for ordinality, id char(36) character set ascii collate ascii_bin path '$'))`,
    orUpdate: (insert, _key, changes) => insert.onDuplicateKeyUpdate(changes),
    // MariaDB knows no alias of the inserted row.
    incoming: (column) => sql`values(${sql.id(column)})`,
    // Names the collation, because the operator's own tables may have another.
    contains: (text, term) =>
      sql`convert(${text} using utf8mb4) collate ${sql.raw(collation)} like ${`%${
        escapeLike(term)
      }%`} escape '|'`,
    sha256: (text) => sql`sha2(${text}, 256)`,
    triggers: mysqlTriggers(),
    mark: sql.raw(mark),
    replaceTrigger,
    removeStandIns,
    keepHistory: {
      begin: sql.raw(`set ${keepHistory} = 1`),
      end: sql.raw(`set ${keepHistory} = null`),
    },
    indexes: mysqlIndexes,
    inspection: mysqlInspection,
    widen,
    types: {
      id: sql.raw("char(36) character set ascii collate ascii_bin"),
      slug: sql.raw("varchar(191) character set ascii collate ascii_bin"),
      seconds: "bigint",
      money: "bigint",
      integer: "integer",
      percent: "decimal(6, 3)",
      flag: sql.raw("tinyint(1)"),
      json: "json",
      sequence: "bigint",
      hiddenVersion: sql.raw("bigint not null default 0 invisible"),
      text: (length) => sql.raw(`varchar(${length}) ${people}`),
      longText: sql.raw(`text ${people}`),
    },
  }
}

const widen: Dialect["widen"] = async (db, table, columns) => {
  for (const [column, type] of Object.entries(columns)) {
    await db.schema.alterTable(table).modifyColumn(column, type).execute()
  }
}

/** Composes letters, as most text is stored: LIKE compares letter by letter. */
function escapeLike(term: string): string {
  return term.normalize("NFC").replace(/[|%_]/g, "|$&")
}

async function serverVersion(target: mysql.ConnectionOptions): Promise<string> {
  const connection = mysql.createConnection(target)
  connection.on("error", () => {})
  try {
    const [rows] = await connection.promise().query<mysql.RowDataPacket[]>(
      "select version() as version",
    )
    return String(rows[0]?.["version"])
  } finally {
    connection.destroy()
  }
}

function reporter(onStatement: Required<DatabaseOptions>["onStatement"]) {
  return (event: LogEvent) => {
    if (event.level === "query") onStatement(event.query.sql, event.queryDurationMillis)
  }
}
