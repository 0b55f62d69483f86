import { readFileSync } from "node:fs"
import { CompiledQuery, Kysely, type LogEvent, MysqlDialect, type MysqlPool, sql } from "kysely"
import mysql from "mysql2"
import type { Connections, DatabaseOptions } from "../database.ts"
import type { Dialect } from "../dialect.ts"
import { mysqlIndexes } from "./indexes.ts"
import { mysqlTriggers } from "./triggers.ts"
import { keepRaw, preparedPool } from "./prepared-pool.ts"
import type { Schema } from "../schema.ts"

/**
 * Connects to MySQL 8.4+ or MariaDB 10.11+.
 *
 * Every connection for reading is set to read-only snapshots and a time limit. The server enforces
 * both, so no query can forget them.
 */
export async function openMysql(url: string, options: DatabaseOptions): Promise<Connections> {
  const access = accessFrom(url)
  const version = await serverVersion(access)
  const isMariaDb = version.includes("MariaDB")
  const limit = isMariaDb
    ? `set session max_statement_time = ${options.timeLimit}`
    : `set session max_execution_time = ${Math.round(options.timeLimit * 1000)}`

  const poolOf = (connections: number) =>
    mysql.createPool({
      ...access,
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
      log: (event) => report(event, options),
    })

  return {
    dialect: dialectFor(version, isMariaDb),
    readers: options.connections,
    reader: connect(
      preparedPool(poolOf(options.connections)),
      "set session transaction isolation level repeatable read, read only",
      limit,
    ),
    writer: connect(
      poolOf(Math.max(2, Math.ceil(options.connections / 4))),
      `set session innodb_lock_wait_timeout = ${Math.max(1, Math.round(options.timeLimit))}`,
      limit,
    ),
    migrator: connect(poolOf(1)),
  }
}

function dialectFor(version: string, isMariaDb: boolean): Dialect {
  const collation = isMariaDb ? "utf8mb4_unicode_520_ci" : "utf8mb4_0900_ai_ci"
  const people = `character set utf8mb4 collate ${collation}`
  return {
    name: "mysql",
    version: isMariaDb ? `MariaDB ${version.split("-")[0]}` : `MySQL ${version}`,
    now: sql<number>`unix_timestamp()`,
    onTimeout: "cancel query",
    waitForWriters: sql`lock in share mode`,
    byIndex: (table, index) => sql.raw(`/*+ index(${table} ${index}) */`),
    listed: (ids) =>
      sql`json_table(${JSON.stringify(ids)}, '$[*]' columns (
        place for ordinality, id char(36) character set ascii collate ascii_bin path '$'))`,
    orUpdate: (insert, _key, changes) => insert.onDuplicateKeyUpdate(changes),
    keepRaw,
    // Names the collation, because the operator's own tables may have another.
    contains: (text, term) =>
      sql`convert(${text} using utf8mb4) collate ${sql.raw(collation)} like ${`%${
        escapeLike(term)
      }%`} escape '|'`,
    triggers: mysqlTriggers,
    indexes: mysqlIndexes,
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
      text: (length) => sql.raw(`varchar(${length}) ${people}`),
      longText: sql.raw(`text ${people}`),
    },
  }
}

/** Composes letters, as most text is stored: LIKE compares letter by letter. */
function escapeLike(term: string): string {
  return term.normalize("NFC").replace(/[|%_]/g, "|$&")
}

function accessFrom(text: string): mysql.ConnectionOptions {
  const url = URL.parse(text)
  const database = url ? decodeURIComponent(url.pathname.slice(1)) : ""
  if (!url?.hostname || !database || url.hash) {
    throw new Error(
      "Cannot read the database URL: write mysql://user:password@host:3306/name, with the special characters of the password percent-encoded",
    )
  }
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port || 3306),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database,
    ...encryption(url.searchParams),
    charset: "utf8mb4",
    connectTimeout: 5000,
    decimalNumbers: true,
    // JSON stays text, so that projections get the same from all databases.
    jsonStrings: true,
  }
}

/**
 * `ssl=required` encrypts. `ssl=verify` also checks that the server's certificate is for this host and
 * signed by the authority in the file `ca`, or by one that the system trusts.
 */
function encryption(parameters: URLSearchParams): mysql.ConnectionOptions {
  const { ssl, ca, ...unknown } = Object.fromEntries(parameters)
  const wrong = Object.keys(unknown)[0]
  if (wrong !== undefined || !["verify", "required", undefined].includes(ssl) || (ca && !ssl)) {
    throw new Error(
      "Cannot read the database URL: after the name, only ?ssl=required or ?ssl=verify is allowed, then &ca=/path/of/a.pem",
    )
  }
  if (ssl === undefined) return {}
  return {
    ssl: {
      minVersion: "TLSv1.2",
      rejectUnauthorized: ssl === "verify",
      verifyIdentity: ssl === "verify",
      ...(ca === undefined ? {} : { ca: readAuthority(ca) }),
    },
  }
}

function readAuthority(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    throw new Error(`Cannot read the file of the database URL's ca: ${(error as Error).message}`)
  }
}

async function serverVersion(access: mysql.ConnectionOptions): Promise<string> {
  const connection = mysql.createConnection(access)
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

function report(event: LogEvent, { onStatement }: DatabaseOptions): void {
  if (event.level === "query") onStatement?.(event.query.sql, event.queryDurationMillis)
}
