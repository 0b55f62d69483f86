import { setTimeout as sleep } from "node:timers/promises"
import { CompiledQuery, Kysely, MysqlDialect, sql, type Transaction } from "kysely"
import mysql from "mysql2"
import type { Schema } from "../../../core/data/schema.ts"
import type { Random } from "../../support/random.ts"
import type { RecordPlatform } from "../../support/record-platform.ts"
import { applyChange } from "./changes.ts"
import type { Observations } from "./observations.ts"

/** How a writer works. */
export interface WriterOptions {
  readonly url: string
  readonly isolation: "read committed" | "repeatable read"
  readonly platform: RecordPlatform
  readonly random: Random
  readonly observations: Observations
}

/** Every ten seconds, writers begin nothing for a while, so that partners find nothing new. */
const isQuiet = (): boolean => Date.now() % 10_000 < 1500

/** The platform: changes records on a connection of its own, in short and in long transactions. */
export class Writer {
  /** Committed transactions. */
  commits = 0
  /** Transactions that were taken back, or that failed. */
  failures = 0
  readonly #options: WriterOptions
  readonly #db: Kysely<Schema>
  #isEnding = false
  #isPaused = false
  #isWorking = false
  #running: Promise<void> = Promise.resolve()

  constructor(options: WriterOptions) {
    this.#options = options
    this.#db = connect(options)
  }

  start(): void {
    this.#running = this.#run()
  }

  /** Stops after the transaction that is running. May be called again. */
  async stop(): Promise<void> {
    if (this.#isEnding) return
    this.#isEnding = true
    await this.#running
    await this.#db.destroy()
  }

  /** Begins no transaction until `resume`. Resolves when the one that is running has ended. */
  async pause(): Promise<void> {
    this.#isPaused = true
    while (this.#isWorking) await sleep(20)
  }

  resume(): void {
    this.#isPaused = false
  }

  async #run(): Promise<void> {
    const { random, observations } = this.#options
    while (!this.#isEnding) {
      try {
        while ((isQuiet() || this.#isPaused) && !this.#isEnding) await sleep(50)
        this.#isWorking = true
        await this.#work().finally(() => this.#isWorking = false)
        this.commits++
        await sleep(random.between(20, 250))
      } catch (error) {
        this.failures++
        if (!isExpected(error)) {
          const { code, message } = error as { code?: string; message: string }
          observations.violate(`a writer failed: ${code ?? ""} ${message}`)
        }
        await sleep(200)
      }
    }
  }

  /** Makes one change, or several in a transaction that stays open for a while. */
  async #work(): Promise<void> {
    const { random, platform } = this.#options
    const change = (db: Kysely<Schema>) => applyChange(db, platform, random)
    if (random.below(3) > 0) return await change(this.#db)
    const open = await this.#db.transaction().execute(async (db: Transaction<Schema>) => {
      for (let left = random.between(2, 6); left > 0; left--) await change(db)
      const at = await timeOf(db)
      if (random.below(2) === 0) await sleep(random.between(100, 1500))
      else if (random.below(4) === 0) await sleep(random.between(3000, 9000))
      if (random.below(5) === 0) throw new TakenBack()
      return await hasChanged(db) ? { at, until: performance.now() } : undefined
    })
    if (open) this.#options.observations.openChanges.push(open)
  }
}

/** Returns the time of the database in Unix seconds: all changes that were made before have it, or an earlier one. */
async function timeOf(db: Transaction<Schema>): Promise<number> {
  const { now } = await db.selectNoFrom(sql<number>`unix_timestamp()`.as("now"))
    .executeTakeFirstOrThrow()
  return now
}

/** Returns false if a transaction has changed no row, or if that is not certain. */
async function hasChanged(db: Transaction<Schema>): Promise<boolean> {
  // MySQL renews what it tells of transactions every tenth of a second.
  await sleep(110)
  const { rows } = await sql<{ changed: number }>`select trx_rows_modified as changed
    from information_schema.innodb_trx where trx_mysql_thread_id = connection_id()`.execute(db)
  return (rows[0]?.changed ?? 0) > 0
}

/** Rolls back a transaction. */
class TakenBack extends Error {}

/** Failures that a platform meets when its database is in trouble, or when writers meet. */
const expected = new Set([
  "ER_BEFORE_DML_VALIDATION_ERROR",
  "ER_RUN_HOOK_ERROR",
  "ER_TRANSACTION_ROLLBACK_DURING_COMMIT",
  "ER_SERVER_OFFLINE_MODE",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "PROTOCOL_CONNECTION_LOST",
  "ER_CHECKREAD",
  "ER_CON_COUNT_ERROR",
  "ER_DUP_ENTRY",
  "ER_LOCK_DEADLOCK",
  "ER_LOCK_WAIT_TIMEOUT",
  "ER_NO_REFERENCED_ROW_2",
  "ER_OPTION_PREVENTS_STATEMENT",
  "ER_QUERY_INTERRUPTED",
  "ER_RECORD_FILE_FULL",
  "ER_SERVER_SHUTDOWN",
  "ER_TABLE_DEF_CHANGED",
])

function isExpected(error: unknown): boolean {
  if (error instanceof TakenBack) return true
  const { code, message } = error as { code?: string; message: string }
  return (code !== undefined && expected.has(code)) || /closed state/.test(message)
}

function connect({ url, isolation }: WriterOptions): Kysely<Schema> {
  const statements = [
    `set session transaction isolation level ${isolation}`,
    "set session lock_wait_timeout = 1, session innodb_lock_wait_timeout = 1",
  ]
  return new Kysely({
    dialect: new MysqlDialect({
      pool: mysql.createPool({ uri: url, connectionLimit: 1, connectTimeout: 5000 }),
      onCreateConnection: async (connection) => {
        for (const statement of statements) {
          await connection.executeQuery(CompiledQuery.raw(statement))
        }
      },
    }),
  })
}
