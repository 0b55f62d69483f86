import { setImmediate as turn } from "node:timers/promises"
import type { SourceValue } from "../values.ts"

/** A row of a SELECT, its values in the order of the columns. */
export type SourceRow = readonly SourceValue[]

/** What a SELECT returns. */
export interface SourceRows {
  readonly columns: readonly string[]
  /** Portions of rows, in the order of the source. */
  readonly rows: AsyncIterable<readonly SourceRow[]>
}

export type SourceName = "mysql" | "sqlite" | "postgres"

/** A key as a condition compares it. */
export type SourceKey = string | Uint8Array

/** Stands in a SELECT for a list of keys. A question mark may be a part of it: of a text, or an operator of Postgres. */
export const keysMark = "(:event_export_keys)"

/** One snapshot of a source. */
export interface SourceReader {
  /**
   * Sends a SELECT, with keys in the place of `keysMark`. One at a time: read it to its end before the next.
   * @throws as the source does.
   */
  select(sql: string, keys?: readonly SourceKey[]): Promise<SourceRows>
}

/** A connection to a source. */
export interface SourceConnection extends SourceReader {
  run(statement: string): Promise<unknown>
  /** Ends it in any state. Never rejects. */
  close(): Promise<void>
}

/** How one kind of database is read. */
export interface SourceDriver {
  readonly name: SourceName
  /** The statement with which a snapshot begins. */
  readonly begin: string
  /** Opens a connection, whose statements wait for a table for two seconds at most. */
  connect(): Promise<SourceConnection>
}

/** A database that records come from. Keeps one connection, and opens it again when it has failed. */
export class Source {
  readonly #driver: SourceDriver
  #connection: SourceConnection | undefined

  constructor(driver: SourceDriver) {
    this.#driver = driver
  }

  /** What kind of database it is. */
  get name(): SourceName {
    return this.#driver.name
  }

  /** Runs `work` in one snapshot of the source, one at a time. @throws what `work` throws, and as the source does. */
  async snapshot<T>(work: (reader: SourceReader) => Promise<T>): Promise<T> {
    const connection = await this.#begin()
    try {
      const result = await work(connection)
      await connection.run("commit")
      return result
    } catch (error) {
      await this.close()
      throw error
    }
  }

  /** Runs statements that change the source, one after the other. @throws as the source does. */
  async change(statements: readonly string[]): Promise<void> {
    const connection = this.#connection ??= await this.#driver.connect()
    try {
      for (const statement of statements) await connection.run(statement)
    } catch (error) {
      await this.close()
      throw error
    }
  }

  /** Closes the connection. The next use opens another. */
  async close(): Promise<void> {
    await this.#connection?.close()
    this.#connection = undefined
  }

  /** Begins a snapshot, on a new connection if the former one no longer responds. */
  async #begin(): Promise<SourceConnection> {
    const isNew = this.#connection === undefined
    try {
      const connection = this.#connection ??= await this.#driver.connect()
      await assertAnswer(connection.run(this.#driver.begin))
      return connection
    } catch (error) {
      await this.close()
      if (isNew) throw error
      return await this.#begin()
    }
  }
}

/** Milliseconds after which a source counts as silent. */
const patience = 10_000

/** A firewall may have forgotten an idle connection. The system reports that only after a quarter of an hour. */
async function assertAnswer(running: Promise<unknown>): Promise<void> {
  const silence = Promise.withResolvers<never>()
  const reject = () => silence.reject(new Error("The source does not answer."))
  const timer = setTimeout(reject, patience)
  try {
    await Promise.race([running, silence.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Rows per portion: few enough to let requests through, and enough to cost little. */
const portionOfRows = 500

/** Returns rows in portions. Requests get their turn after each, even if all rows are there at once. */
export async function* portions(
  rows: AsyncIterable<SourceRow> | Iterable<SourceRow>,
): AsyncGenerator<readonly SourceRow[]> {
  const iterator = Symbol.iterator in rows ? rows[Symbol.iterator]() : rows[Symbol.asyncIterator]()
  let portion: SourceRow[] = []
  for (;;) {
    const next = iterator.next()
    const { done, value } = next instanceof Promise ? await next : next
    if (!done) portion.push(value)
    if (portion.length === portionOfRows || done && portion.length > 0) {
      yield portion
      portion = []
      await turn()
    }
    if (done) return
  }
}

/** Puts a list of marks or literals in the place of `keysMark`. */
export function withKeys(sql: string, list: readonly string[]): string {
  return sql.replace(keysMark, () => `(${list.join(", ")})`)
}

/** Returns all rows of a SELECT that has few. */
export async function allRows(
  reader: SourceReader,
  sql: string,
  keys: readonly SourceKey[] = [],
): Promise<SourceRow[]> {
  return (await Array.fromAsync((await reader.select(sql, keys)).rows)).flat()
}
