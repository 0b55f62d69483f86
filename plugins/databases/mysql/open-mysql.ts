import { type RawBuilder, sql } from "kysely"
import mysql from "mysql2"
import {
  type DatabaseHandles,
  type DatabaseOptions,
  type Dialect,
  UserError,
} from "../../../core/driver.ts"
import { readTargets } from "./connection-options.ts"
import { connectionsBy, poolsOf } from "./connections.ts"
import { describeDenial } from "./denial.ts"
import { mysqlInspection } from "./inspection.ts"
import { removeStandIns, replaceTrigger } from "./replace-trigger.ts"
import { setSession } from "./session-settings.ts"
import { keepHistory, mark, mysqlTriggers } from "./triggers.ts"

/**
 * Connects to MySQL 8.4+ or MariaDB 10.11+ on one server. Every connection for reading has read-only snapshots and a
 * time limit. The server enforces both, so no query can forget them.
 *
 * @throws {UserError} if the URL names several servers, or the server refuses the service.
 */
export async function openMysql(url: string, options: DatabaseOptions): Promise<DatabaseHandles> {
  const [target, ...others] = readTargets(url)
  if (others.length > 0) {
    throw new UserError(
      'The database URL names several servers: add "servers" to the list of capabilities, or name one',
    )
  }
  const version = await serverVersion(target.options)
  return connectionsBy(poolsOf(target.options), dialectFor(version), options)
}

/** Returns the SQL dialect of a version. */
export function dialectFor(version: string): Dialect {
  const isMariaDb = version.includes("MariaDB")
  const collation = isMariaDb ? "utf8mb4_unicode_520_ci" : "utf8mb4_0900_ai_ci"
  const people = `character set utf8mb4 collate ${collation}`
  return {
    name: "mysql",
    version: isMariaDb ? `MariaDB ${version.split("-")[0]}` : `MySQL ${version}`,
    now: sql<number>`unix_timestamp()`,
    isReadOnly: sql`(@@read_only or @@innodb_read_only)`,
    // MariaDB has no id that differs between servers and survives restarts.
    server: isMariaDb ? sql`''` : sql`@@server_uuid`,
    onTimeout: "cancel query",
    byPrimaryKey: sql`force index (primary)`,
    byIndex: (table, index) => sql.raw(`/*+ index(${table} ${index}) */`),
    tableOf: (ids) =>
      sql`json_table(${JSON.stringify(ids)}, '$[*]' columns (
        place for ordinality, id char(36) character set ascii collate ascii_bin path '$'))`,
    arrayOf: (value) => sql`json_arrayagg(${value})`,
    orUpdate: (insert, _key, changes) => insert.onDuplicateKeyUpdate(changes),
    // MariaDB has no alias for the inserted row.
    incoming: (column) => sql`values(${sql.id(column)})`,
    // Leaves out ASCII texts, where folding only changes the case and an apostrophe. Does not depend on a collation.
    mayContain(text, folded) {
      const letters = sql`convert(${text} using utf8mb4)`
      const searched = /^\d+$/.test(folded)
        ? [digitsOf(letters), digitsOf(sql`replace(${letters}, '(0)', '')`)]
        : [sql`replace(upper(${letters}), ${"`"}, ${"'"})`]
      const found = searched.map((each) => sql`instr(${each} collate utf8mb4_bin, ${folded})`)
      return sql`(length(${letters}) <> char_length(${letters}) or ${sql.join(found, sql` or `)})`
    },
    sha256: (text) => sql`sha2(${text}, 256)`,
    triggers: mysqlTriggers(),
    mark: sql.raw(mark),
    replaceTrigger,
    removeStandIns,
    keepHistory: {
      begin: sql.raw(`set ${keepHistory} = 1`),
      end: sql.raw(`set ${keepHistory} = null`),
    },
    referenceLater: {
      begin: sql.raw("set foreign_key_checks = 0"),
      end: sql.raw("set foreign_key_checks = 1"),
    },
    // MySQL has no `create index if not exists`.
    createTable: async (_db, { table, indexes }) => {
      await Object.entries(indexes)
        .reduce((all, [index, columns]) => all.addIndex(index, [...columns]), table)
        .execute()
    },
    addIndex: async (db, { index, table, columns }) => {
      await db.schema.createIndex(index).on(table).columns([...columns]).execute()
        .catch((error: { readonly code?: string }) => {
          if (error.code !== "ER_DUP_KEYNAME") throw error
        })
    },
    inspection: mysqlInspection,
    types: {
      id: sql.raw("char(36) character set ascii collate ascii_bin"),
      slug: sql.raw("varchar(191) character set ascii collate ascii_bin"),
      long: "bigint",
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

/** Returns a text without the characters that may separate the digits of a number. */
function digitsOf(text: RawBuilder<unknown>): RawBuilder<unknown> {
  return [..." +()./-"].reduce((rest, each) => sql`replace(${rest}, ${sql.lit(each)}, '')`, text)
}

async function serverVersion(target: mysql.ConnectionOptions): Promise<string> {
  const connection = mysql.createConnection(target)
  connection.on("error", () => {})
  try {
    await connection.promise().query(setSession)
    const [rows] = await connection.promise().query<mysql.RowDataPacket[]>(
      "select version() as version",
    )
    return String(rows[0]?.["version"])
  } catch (error) {
    throw describeDenial(error) ?? error
  } finally {
    connection.destroy()
  }
}
