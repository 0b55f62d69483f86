import {
  type Connection,
  createConnection,
  escape,
  type FieldPacket,
  type TypeCastField,
} from "mysql2"
import { UserError } from "../../../../core/capability.ts"
import { readTargets } from "../../../databases/mysql/parts.ts"
import { portions, Source, type SourceConnection, type SourceRow, withKeys } from "./source.ts"

/**
 * Opens a MySQL or MariaDB database as a source. Its URL is like that of the service's own, but for several servers.
 * @throws {UserError} if it names several. @throws {Error} if it is malformed.
 */
export function openMysqlSource(url: string): Source {
  const [{ options }, ...others] = readTargets(url)
  if (others.length > 0) {
    throw new UserError("The URL of the source names several servers: name one.")
  }
  return new Source({
    name: "mysql",
    begin: "start transaction with consistent snapshot, read only",
    async connect() {
      const connection = connectionOf(createConnection({
        ...{ ...options, connectTimeout: 10_000, typeCast: castTime, decimalNumbers: false },
        ...{ dateStrings: true, supportBigNumbers: true, bigNumberStrings: true },
      }))
      for (const statement of session) await connection.run(statement)
      return connection
    },
  })
}

/**
 * Keeps rows and values from depending on the server's defaults: fewer rows, another character set, columns that are padded
 * with spaces, quotation marks that end a key's text, or errors for a comparison with 0000-00-00. Times of the type
 * `timestamp` come in UTC.
 */
const session = [
  "set names utf8mb4",
  `set session time_zone = '+00:00', sql_select_limit = 18446744073709551615, sql_big_selects = 1,
    group_concat_max_len = 1000000, net_write_timeout = 600, lock_wait_timeout = 2, wait_timeout = 28800,
    autocommit = 1,
    sql_mode = replace(replace(replace(replace(@@sql_mode, 'PAD_CHAR_TO_FULL_LENGTH', ''),
      'NO_BACKSLASH_ESCAPES', ''), 'NO_ZERO_DATE', ''), 'NO_ZERO_IN_DATE', '')
    /*!80400 , max_execution_time = 0 */
    /*M!101100 , max_statement_time = 0, idle_transaction_timeout = 0, idle_readonly_transaction_timeout = 0 */`,
  "set session transaction isolation level repeatable read",
]

/** Marks a `timestamp` as UTC: a `datetime` looks the same, and is in the platform's zone. */
function castTime(field: TypeCastField, next: () => unknown): unknown {
  const value = next()
  return field.type === "TIMESTAMP" && typeof value === "string" ? `${value}Z` : value
}

function connectionOf(connection: Connection): SourceConnection {
  // The next statement reports what breaks between two.
  connection.on("error", () => {})
  return {
    async select(sql, keys = []) {
      // Not as values: mysql2 would look for their marks in texts and comments as well.
      const text = withKeys(sql, keys.map((key) => escape(key)))
      const query = connection.query({ sql: text, rowsAsArray: true })
      const columns = Promise.withResolvers<readonly string[]>()
      query.on("fields", (fields: FieldPacket[]) => columns.resolve(fields.map(({ name }) => name)))
      const stream: AsyncIterable<SourceRow> = query.stream({ highWaterMark: 1000 })
        .once("error", columns.reject)
      return { columns: await columns.promise, rows: portions(stream) }
    },
    run: (statement) =>
      new Promise<void>((resolve, reject) => {
        connection.query(statement, (error) => error ? reject(error) : resolve())
      }),
    close: () => Promise.resolve(connection.destroy()),
  }
}
