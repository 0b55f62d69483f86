import mysql from "mysql2/promise"
import type { Clock } from "../../support/polling/clocked.ts"
import type { Writing } from "./plan.ts"

/** A connection of a writer, whose triggers read the clock of the test. */
export class WriterConnection {
  readonly #connection: mysql.Connection
  readonly #clock: Clock

  private constructor(connection: mysql.Connection, clock: Clock) {
    this.#connection = connection
    this.#clock = clock
  }

  /** Connects. A statement that would wait for the other writer fails soon. */
  static async open(url: string, clock: Clock): Promise<WriterConnection> {
    const connection = await mysql.createConnection({ uri: url, multipleStatements: true })
    await connection.query("set session innodb_lock_wait_timeout = 3")
    return new WriterConnection(connection, clock)
  }

  /** Begins a transaction. Its triggers use the time of now, unless `run` takes a later one. */
  async begin(isolation: Writing["isolation"]): Promise<void> {
    await this.#connection.query(
      `set transaction isolation level ${isolation}; start transaction; ${this.#stamp()}`,
    )
  }

  /** Runs statements, at the time of now. */
  async run(statements: string): Promise<void> {
    await this.#connection.query(`${this.#stamp()}; ${statements}`)
  }

  async end(how: Writing["ends"]): Promise<void> {
    await this.#connection.query(how)
  }

  async close(): Promise<void> {
    await this.#connection.end()
  }

  #stamp(): string {
    return `set @clock = ${this.#clock.now}`
  }
}
