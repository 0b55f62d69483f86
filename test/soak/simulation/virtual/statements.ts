import { DatabaseSync, type SQLInputValue, StatementSync } from "node:sqlite"
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  SqliteDialect,
} from "kysely"
import { type Owner, owner, type VirtualTime } from "./time.ts"
import type { Randomness } from "./randomness.ts"

/** A statement that is about to be sent, or was. */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
  /** Whose it is; undefined for the platform's own. */
  readonly owner: Owner | undefined
  /** True if its connection may write. */
  readonly writes: boolean
}

/** What happens at statements besides what the database does. */
export interface StatementHooks {
  /** Runs before it is sent: may take time, throw what a database would, or kill the owner. */
  before(statement: Statement): Promise<void>
  /** Runs when it has taken effect, before the owner learns of it. */
  after(statement: Statement): Promise<void>
}

interface OpenedFile {
  readonly database: DatabaseSync
  readonly isReadOnly: boolean
}

/** Milliseconds that a statement waits for the transaction of another connection, if not the database's own limit. */
const patience = 10_000

/**
 * Stands between Kysely and the embedded database: gives it the clock and the randomness of the simulation, lets its
 * statements take time, and makes connections wait for each other's transactions in virtual time.
 */
export class Statements {
  readonly #time: VirtualTime
  readonly #randomness: Randomness
  hooks: StatementHooks = { before: () => Promise.resolve(), after: () => Promise.resolve() }
  /** Is called with each statement, right before the database gets it. */
  onStatement: (statement: Statement) => void = () => {}
  /** Is called with each statement, right when it has taken effect. */
  onEffect: (statement: Statement) => void = () => {}
  /** The open files of each owner. */
  readonly #files = new Map<Owner | undefined, Set<OpenedFile>>()
  #last: OpenedFile | undefined
  /** The connection whose transaction writes. */
  #holder: Connection | undefined
  #whenFree: (() => void)[] = []

  constructor(time: VirtualTime, randomness: Randomness) {
    this.#time = time
    this.#randomness = randomness
  }

  install(): void {
    const use = (database: DatabaseSync) => this.#use(database, isReadOnly.has(database))
    const wrap = (inner: Driver) => this.#wrapLast(inner)
    const { exec, function: define } = DatabaseSync.prototype
    DatabaseSync.prototype.function = function (this: DatabaseSync, ...values: never) {
      for (const [name, own] of use(this)) define.call(this, name, own)
      return define.apply(this, values)
    } as typeof define
    const isReadOnly = new WeakSet<DatabaseSync>()
    DatabaseSync.prototype.exec = function (this: DatabaseSync, sql) {
      if (/query_only *= *on/.test(sql)) isReadOnly.add(this)
      return exec.call(this, sql)
    }
    // The service asks before each execution whether a statement returns rows.
    const { columns } = StatementSync.prototype
    const known = new WeakMap<StatementSync, ReturnType<typeof columns>>()
    StatementSync.prototype.columns = function (this: StatementSync) {
      const found = known.get(this) ?? columns.call(this)
      known.set(this, found)
      return found
    }
    const { createDriver } = SqliteDialect.prototype
    SqliteDialect.prototype.createDriver = function (this: SqliteDialect) {
      return wrap(createDriver.call(this))
    }
  }

  /** Returns the functions that a file that is opened gets in the place of its own; none the next times. */
  #use(database: DatabaseSync, isReadOnly: boolean): (readonly [string, () => SQLInputValue])[] {
    if (this.#last?.database === database) return []
    this.#last = { database, isReadOnly }
    return [["unixepoch", () => this.#time.now], ["random", () => this.#randomness.integer()]]
  }

  /** Wraps the driver of the file that was opened last. */
  #wrapLast(inner: Driver): Driver {
    const opened = this.#last
    if (!opened) return inner
    const of = owner.getStore()
    this.#filesOf(of).add(opened)
    return this.#wrap(inner, opened, of)
  }

  /** Closes what an owner has open, as the end of its process does: its transactions are rolled back. */
  closeAll(of: Owner): void {
    for (const { database } of this.#filesOf(of)) if (database.isOpen) database.close()
    this.#files.delete(of)
    this.#time.release(of)
    if (this.#holder?.owner === of) this.release(this.#holder)
  }

  /** The connections that an owner has open. */
  connections(of: Owner): number {
    return [...this.#filesOf(of)].filter(({ database }) => database.isOpen).length
  }

  reset(): void {
    this.#files.clear()
    this.#holder = undefined
    this.#whenFree = []
  }

  /** Lets a connection write once no other has an open transaction. @throws what SQLite would if that takes too long. */
  async take(connection: Connection): Promise<void> {
    const { owner: of } = connection
    const until = this.#time.steady + patience
    try {
      while (!this.isFreeFor(connection)) {
        // The database's call does not return until then: nothing else of the process runs.
        if (of && this.#holder?.owner !== of) this.#time.block(of)
        if (this.#time.steady >= until) {
          throw Object.assign(new Error("database is locked"), {
            code: "ERR_SQLITE_ERROR",
            errcode: 5,
          })
        }
        const free = new Promise<void>((resolve) => void this.#whenFree.push(resolve))
        const late = owner.exit(() => this.#time.sleep(until - this.#time.steady))
        await Promise.race([free, late])
      }
    } finally {
      if (of) this.#time.release(of)
    }
  }

  /** True if no other connection has an open transaction. */
  isFreeFor(connection: Connection): boolean {
    return this.#holder === undefined || this.#holder === connection
  }

  hold(connection: Connection): void {
    this.#holder = connection
  }

  release(connection: Connection): void {
    if (this.#holder !== connection) return
    this.#holder = undefined
    for (const resolve of this.#whenFree.splice(0)) resolve()
  }

  #filesOf(of: Owner | undefined): Set<OpenedFile> {
    const files = this.#files.get(of) ?? new Set()
    this.#files.set(of, files)
    return files
  }

  #wrap(inner: Driver, opened: OpenedFile, of: Owner | undefined): Driver {
    const known = new WeakMap<DatabaseConnection, Connection>()
    const wrapped = (connection: DatabaseConnection) => {
      const made = known.get(connection) ??
        new Connection(connection, { statements: this, owner: of, writes: !opened.isReadOnly })
      known.set(connection, made)
      return made
    }
    return new Proxy(inner, {
      get: (target, name) => {
        if (name === "acquireConnection") {
          return async (...values: []) => wrapped(await target.acquireConnection(...values))
        }
        if (name === "destroy") {
          return async () => {
            await target.destroy()
            this.#filesOf(of).delete(opened)
          }
        }
        const value = Reflect.get(target, name)
        return typeof value === "function" ? value.bind(target) : value
      },
    })
  }
}

/** A promise of a process that is dead: it never settles. */
const never = new Promise<never>(() => {})

class Connection implements DatabaseConnection {
  readonly owner: Owner | undefined
  readonly #inner: DatabaseConnection
  readonly #statements: Statements
  readonly #writes: boolean

  constructor(
    inner: DatabaseConnection,
    { statements, owner, writes }: {
      readonly statements: Statements
      readonly owner: Owner | undefined
      readonly writes: boolean
    },
  ) {
    this.#inner = inner
    this.#statements = statements
    this.owner = owner
    this.#writes = writes
  }

  async executeQuery<R>(query: CompiledQuery, ...rest: []): Promise<QueryResult<R>> {
    const statement = await this.#begin(query)
    const { sql } = query
    const mayWrite = this.#writes && !/^(select|with|pragma|commit|rollback)/.test(sql)
    const begins = this.#writes && sql === "begin"
    try {
      // Nothing may come between this and the statement.
      while (mayWrite && !this.#statements.isFreeFor(this)) await this.#statements.take(this)
      if (this.owner?.isDead) await never
      if (begins) this.#statements.hold(this)
      this.#statements.onStatement(statement)
      const result = await this.#inner.executeQuery<R>(query, ...rest)
      if (this.#writes) this.#statements.onEffect(statement)
      if (sql === "commit" || sql === "rollback") this.#statements.release(this)
      await this.#statements.hooks.after(statement)
      if (this.owner?.isDead) await never
      return result
    } catch (error) {
      if (begins) this.#statements.release(this)
      if (this.owner?.isDead) await never
      throw error
    }
  }

  async *streamQuery<R>(
    query: CompiledQuery,
    _size?: number,
    ...rest: []
  ): AsyncIterableIterator<QueryResult<R>> {
    const statement = await this.#begin(query)
    this.#statements.onStatement(statement)
    for await (const row of this.#inner.streamQuery<R>(query, 1, ...rest)) {
      if (this.owner?.isDead) await never
      yield row
    }
    await this.#statements.hooks.after(statement)
  }

  async #begin({ sql, parameters }: CompiledQuery): Promise<Statement> {
    if (this.owner?.isDead) await never
    const statement = { sql, parameters, owner: this.owner, writes: this.#writes }
    await this.#statements.hooks.before(statement)
    if (this.owner?.isDead) await never
    return statement
  }
}
