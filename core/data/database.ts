import type { AbortableQueryOptions, Kysely } from "kysely"
import type { ReadonlyKysely } from "kysely/readonly"
import type { DatabaseHandles, Dialect } from "./dialect.ts"
import type { Schema } from "./schema.ts"
import type { Storages } from "./storage.ts"
import { kernelStorage } from "./kernel-storage.ts"
import { isAboutChangedTable, StatementTimeout, translateReading } from "./unavailable.ts"

/** How the service uses its database. */
export interface DatabaseOptions {
  /** Upper bound for the connections for reading; MySQL only. */
  readonly connections: number
  /** Seconds that a statement, and a snapshot as a whole, may take. */
  readonly timeLimit: number
  /** What keeps tables in it. Default: the kernel. */
  readonly storages?: Storages
  /** Called for every statement that the service sends, with its milliseconds. */
  readonly onStatement?: (sql: string, milliseconds: number) => void
}

/** How busy the connections for reading are. */
export interface ConnectionNumbers {
  /** Upper bound for the connections. */
  readonly most: number
  readonly used: number
  /** Reads that wait for a connection, or for their transaction to begin. */
  readonly waiting: number
  /** Reads since the start that found all connections in use. */
  readonly waits: number
}

/** Read access to the database. */
export interface Reader {
  readonly db: ReadonlyKysely<Schema>
  readonly dialect: Dialect
  /** Runs a query within a time limit. Fails with `Unavailable` past it. */
  run<Row>(query: Runnable<Row>): Promise<Row[]>
}

/** One read-only snapshot: all results belong to the same moment. */
export type Snapshot = Reader

/** Is notified when a wait for the database begins and ends. */
export interface WaitObserver {
  begin(): void
  end(): void
}

/** A built query that has not been sent. */
export interface Runnable<Row> {
  execute(options?: AbortableQueryOptions): Promise<Row[]>
}

/** An open database. Reading goes through `snapshot`; `writer` is never for plugins. */
export class Database {
  readonly dialect: Dialect
  readonly storages: Storages
  readonly writer: Kysely<Schema>
  /** For `inBackground`: one connection, which waits a second for locks. */
  readonly background: Kysely<Schema>
  /** For migrations, which may take longer than requests. */
  readonly migrator: Kysely<Schema>
  readonly #reader: Kysely<Schema>
  readonly #long: DatabaseHandles["long"]
  readonly #timeLimit: number
  readonly #use: ConnectionUse
  readonly #backgroundWork = new Set<Promise<unknown>>()

  constructor(connections: DatabaseHandles, options: DatabaseOptions) {
    this.dialect = connections.dialect
    this.storages = options.storages ?? { on: [kernelStorage], off: [] }
    this.writer = connections.writer
    this.background = connections.background
    this.migrator = connections.migrator
    this.#reader = connections.reader
    this.#long = connections.long
    this.#timeLimit = options.timeLimit * 1000
    this.#use = new ConnectionUse(connections.readers)
  }

  /**
   * Runs `work` in one read-only snapshot. If a migration changes a table between the snapshot and its first read of the
   * table, runs `work` again, in another snapshot.
   *
   * @throws {Unavailable} if the database is away or the time limit passes. Also throws what `work` throws.
   */
  async snapshot<T>(
    work: (snapshot: Snapshot) => Promise<T>,
    waits: WaitObserver = unwatched,
  ): Promise<T> {
    const expiry = new TimeLimit(this.#timeLimit)
    // Sends no statement past the time limit. One that runs is stopped by the database's own limit: Kysely
    // cancels none in a transaction, because the rollback is already sent behind it.
    const limit = { signal: expiry.signal }
    const attempt = async () => {
      const use = this.#use.wait()
      const working = this.#reader.transaction().execute(async (db) => {
        use.got()
        waits.end()
        try {
          return await work(this.#readerOn(db, (query) => waitFor(query.execute(limit), waits)))
        } finally {
          waits.begin()
        }
      })
      working.then(use.end, use.end)
      return await working
    }
    // Waits for a connection and its transaction, then for each statement, then for the transaction's end.
    waits.begin()
    const working = attempt().catch((error) => {
      if (!isAboutChangedTable(error)) throw error
      expiry.signal.throwIfAborted()
      return attempt()
    })
    return await expiry.bound(working).finally(() => waits.end())
  }

  /**
   * Like `snapshot`, but without a limit for the whole: `work` ends by itself. Each statement has the limit, and so
   * has the time until the snapshot begins. No other read waits for its connection.
   *
   * @throws as `snapshot` does.
   */
  async longSnapshot<T>(
    work: (snapshot: Snapshot) => Promise<T>,
    waits: WaitObserver = unwatched,
  ): Promise<T> {
    const opening = new TimeLimit(this.#timeLimit)
    const { promise: opened, resolve } = Promise.withResolvers<void>()
    const run: Snapshot["run"] = async (query) => {
      const expiry = new TimeLimit(this.#timeLimit)
      return await expiry.bound(waitFor(query.execute({ signal: expiry.signal }), waits))
    }
    const working = this.#long.use((reader) =>
      reader.transaction().execute(async (db) => {
        opening.signal.throwIfAborted()
        resolve()
        return await work(this.#readerOn(db, run))
      })
    )
    // If it begins too late, nobody waits for it any more.
    working.catch(() => {})
    await waitFor(opening.bound(Promise.race([opened, working])), waits)
    try {
      return await working
    } catch (error) {
      throw translateReading(error)
    }
  }

  /** How busy the connections for reading are. */
  get connections(): ConnectionNumbers {
    return this.#use.numbers
  }

  /**
   * Runs one statement without a transaction: a statement is a snapshot by itself.
   *
   * @throws as `snapshot` does; {TypeError} if `work` runs a second statement.
   */
  async readOnce<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    const expiry = new TimeLimit(this.#timeLimit)
    const use = this.#use.wait()
    let statements = 0
    const working = this.#reader.connection().execute((db) => {
      use.got()
      const run: Reader["run"] = (query) => {
        if (++statements > 1) {
          throw new TypeError("Two statements may see different moments: use snapshot")
        }
        return query.execute()
      }
      return work(this.#readerOn(db, run))
    })
    working.then(use.end, use.end)
    return await expiry.bound(working)
  }

  #readerOn(db: Kysely<Schema>, run: Reader["run"]): Reader {
    return { db: db as unknown as ReadonlyKysely<Schema>, dialect: this.dialect, run }
  }

  /** Returns what a connection for reading or one for writing has not set. @throws {Unavailable} */
  async findUnset(): Promise<string[]> {
    const { inspection } = this.dialect
    return [
      ...await new TimeLimit(this.#timeLimit).bound(inspection.findUnset(this.#reader, "reading")),
      ...await inspection.findUnset(this.writer, "writing"),
    ]
  }

  /** Resolves if the database responds. @throws {Unavailable} if it does not. */
  async ping(): Promise<void> {
    // With a value, because a server may have no room for such statements, which all others are.
    await this.snapshot(({ db, run }) => run(db.selectNoFrom((eb) => eb.val(1).as("one"))))
  }

  /** Runs work that `close` waits for: end it first, between two short statements. @throws what `work` throws. */
  async inBackground<T>(work: () => Promise<T>): Promise<T> {
    const working = work()
    const ended = working.catch(() => {})
    this.#backgroundWork.add(ended)
    void ended.then(() => this.#backgroundWork.delete(ended))
    return await working
  }

  /** Closes all connections once the background work and the running statements have ended. */
  async close(): Promise<void> {
    await Promise.all(this.#backgroundWork)
    const handles = new Set([this.#reader, this.writer, this.background, this.migrator])
    await Promise.all([...handles, this.#long].map((handle) => handle.destroy()))
  }
}

const unwatched: WaitObserver = { begin: () => {}, end: () => {} }

async function waitFor<T>(result: Promise<T>, waits: WaitObserver): Promise<T> {
  waits.begin()
  try {
    return await result
  } finally {
    waits.end()
  }
}

/** Keeps the counts of `ConnectionNumbers`. */
class ConnectionUse {
  readonly #numbers: { -readonly [Name in keyof ConnectionNumbers]: number }

  constructor(most: number) {
    this.#numbers = { most, used: 0, waiting: 0, waits: 0 }
  }

  get numbers(): ConnectionNumbers {
    return { ...this.#numbers }
  }

  /** Counts a wait for a connection. Call `got` once the connection is there, and `end` in any case. */
  wait(): { got(): void; end(): void } {
    const numbers = this.#numbers
    if (numbers.used + numbers.waiting >= numbers.most) numbers.waits++
    numbers.waiting++
    let state: "used" | "waiting" = "waiting"
    return {
      got: () => {
        numbers.waiting--
        numbers.used++
        state = "used"
      },
      end: () => {
        numbers[state]--
      },
    }
  }
}

/** A time limit of a read. */
class TimeLimit {
  readonly #controller = new AbortController()
  readonly #timer: ReturnType<typeof setTimeout>
  readonly #passed: Promise<never>

  constructor(milliseconds: number) {
    const { promise, reject } = Promise.withResolvers<never>()
    this.#passed = promise
    this.#timer = setTimeout(() => {
      const reason = new StatementTimeout(`The database took longer than ${milliseconds} ms.`)
      this.#controller.abort(reason)
      reject(reason)
    }, milliseconds)
  }

  /** Aborts past the limit. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Rejects past the limit: waiting for a free connection takes no signal. Ends the limit. */
  async bound<T>(working: Promise<T>): Promise<T> {
    try {
      return await Promise.race([working, this.#passed])
    } catch (error) {
      throw translateReading(error)
    } finally {
      clearTimeout(this.#timer)
    }
  }
}
