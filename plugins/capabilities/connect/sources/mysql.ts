import { type Connection, createConnection, type FieldPacket, type TypeCastField } from "mysql2"
import type { SourceValue } from "../values.ts"
import {
  portionOfRows,
  type Selection,
  type Source,
  type SourceReader,
  type SourceRow,
} from "./source.ts"

/** So that values do not depend on the server's defaults. Times of the type `timestamp` come in UTC. */
const beginnings = [
  "set session time_zone = '+00:00', sql_select_limit = default, group_concat_max_len = 1000000",
  "set session transaction isolation level repeatable read",
  "start transaction with consistent snapshot, read only",
]

/** Seconds that a statement which changes the source waits for a table: writers behind it wait as long. */
const lockWait = 2

/** Opens a MySQL or MariaDB database as a source. */
export function openMysqlSource(url: string): Source {
  return {
    name: "mysql",
    async snapshot(work) {
      return await withConnection(url, async (connection) => {
        for (const statement of beginnings) await run(connection, statement)
        return await work(readerOf(connection))
      })
    },
    async change(statements) {
      await withConnection(url, async (connection) => {
        await run(connection, `set session lock_wait_timeout = ${lockWait}`)
        for (const statement of statements) await run(connection, statement)
      })
    },
  }
}

async function withConnection<T>(
  url: string,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = createConnection({
    uri: url,
    connectTimeout: 10_000,
    charset: "utf8mb4",
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    typeCast: castTime,
  })
  // What breaks between statements is told by the next one.
  connection.on("error", () => {})
  try {
    return await work(connection)
  } finally {
    connection.destroy()
  }
}

/** Says of a `timestamp` that it is in UTC: a `datetime` looks the same, and is in the zone of the platform. */
function castTime(field: TypeCastField, next: () => unknown): unknown {
  const value = next()
  return field.type === "TIMESTAMP" && typeof value === "string" ? `${value}Z` : value
}

async function run(connection: Connection, statement: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    connection.query(statement, (error) => error ? reject(error) : resolve())
  })
}

function readerOf(connection: Connection): SourceReader {
  return {
    async select(sql, values = []): Promise<Selection> {
      const query = connection.query({ sql, values: [...values], rowsAsArray: true })
      const columns = Promise.withResolvers<readonly string[]>()
      query.on("fields", (fields: FieldPacket[]) => columns.resolve(fields.map(({ name }) => name)))
      const stream = query.stream({ highWaterMark: 2 * portionOfRows })
      stream.once("error", columns.reject)
      return { columns: await columns.promise, rows: portions(stream) }
    },
  }
}

async function* portions(rows: AsyncIterable<unknown>): AsyncGenerator<readonly SourceRow[]> {
  let portion: SourceValue[][] = []
  for await (const row of rows) {
    portion.push(row as SourceValue[])
    if (portion.length < portionOfRows) continue
    yield portion
    portion = []
  }
  if (portion.length > 0) yield portion
}
