import { closeSync, mkdirSync, openSync } from "node:fs"
import { dirname } from "node:path"
import process from "node:process"
import { setTimeout as pause } from "node:timers/promises"
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite"
import {
  type DatabaseConnection,
  Kysely,
  sql,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteStatement,
} from "kysely"
import {
  type DatabaseHandles,
  type DatabaseOptions,
  type Dialect,
  isLocked,
  type LongReaders,
  type Schema,
  searchableText,
  sha256,
  UserError,
} from "../../../core/driver.ts"
import { sqliteInspection } from "./inspection.ts"
import { mark, sqliteTriggers } from "./triggers.ts"

/** Opens an embedded SQLite file. Readers keep their snapshot while others write (write-ahead log). */
export function openSqlite(url: string, options: DatabaseOptions): Promise<DatabaseHandles> {
  const path = url.slice("sqlite:".length)
  if (!path || path === ":memory:") {
    throw new Error(
      "Cannot open the embedded database: name a file, as in sqlite:.data/event-export.db",
    )
  }
  createFile(path)
  const usual: Patience = { milliseconds: options.timeLimit * 1000 }
  const ofWriter = { ...usual }
  const connect = (patience: Patience, ...pragmas: string[]) => {
    const database = connectTo(path, options, pragmas)
    return new Kysely<Schema>({
      dialect: Object.assign(
        new SqliteDialect({
          database,
          onCreateConnection: (connection) => Promise.resolve(steady(connection, patience)),
        }),
        { createAdapter: () => new TransactionalAdapter() },
      ),
      log: (event) => {
        if (event.level === "query") {
          options.onStatement?.(event.query.sql, event.queryDurationMillis)
        }
      },
    })
  }
  const writer = connect(ofWriter, "journal_mode = wal", "synchronous = normal")
  const reader = connect(usual, readOnly)
  const dialect = {
    ...syntax,
    inspection: sqliteInspection(path),
    whileNobodyWrites: tryLock(ofWriter),
  }
  const writing = { writer, background: writer, migrator: writer }
  const long: LongReaders = {
    async use(work) {
      const reader = connect(usual, readOnly)
      try {
        return await work(reader)
      } finally {
        await reader.destroy()
      }
    },
    destroy: () => Promise.resolve(),
  }
  return Promise.resolve({ dialect, readers: 1, reader, long, ...writing })
}

/**
 * Creates an empty file and its folders, readable only by their owner; SQLite gives the files beside it the same mode.
 * Never opens an existing file: closing it would release SQLite's locks on it.
 */
function createFile(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    closeSync(openSync(path, "wx", 0o600))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === "EEXIST") return
    // Without the path: it might mistakenly be the URL of another database, with a password.
    throw new UserError(`Cannot create the embedded database (${code}): check its path.`)
  }
}

/** Makes Kysely migrate in one transaction, so that a second process waits. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

const readOnly = "query_only = on"

/** How long statements wait for a lock. */
interface Patience {
  milliseconds: number
}

/** Implements `whileNobodyWrites` for connections that usually wait for the lock. */
function tryLock(patience: Patience): NonNullable<Dialect["whileNobodyWrites"]> {
  return (db, work) =>
    db.connection().execute(async (db) => {
      const { milliseconds } = patience
      patience.milliseconds = 0
      try {
        return await db.transaction().execute(work)
      } catch (error) {
        if (isLocked(error)) return undefined
        throw error
      } finally {
        patience.milliseconds = milliseconds
      }
    })
}

/**
 * Makes a connection's statements wait while another process has locked the file: SQLite itself would block this
 * thread. Also makes a rollback succeed if the transaction has already ended.
 */
function steady(connection: DatabaseConnection, patience: Patience): void {
  const { executeQuery } = connection
  connection.executeQuery = async (query, options) => {
    const end = performance.now() + patience.milliseconds
    for (;;) {
      try {
        return await executeQuery.call(connection, query, options) as never
      } catch (error) {
        // On a full disk, SQLite ends the transaction itself, and the previous statement has the reason.
        if (/^cannot rollback - no transaction/.test(String((error as Error).message))) {
          return { rows: [] }
        }
        if (!isLocked(error) || performance.now() >= end) throw error
        await pause(5 + Math.random() * 10)
      }
    }
  }
}

const syntax: Omit<Dialect, "inspection" | "whileNobodyWrites"> = {
  name: "sqlite",
  version: `SQLite ${process.versions["sqlite"] ?? ""}`.trim(),
  now: sql<number>`unixepoch()`,
  server: sql`''`,
  isReadOnly: sql`0`,
  onTimeout: "ignore query",
  byPrimaryKey: sql.raw(""),
  byIndex: () => sql.raw(""),
  tableOf: (ids) =>
    sql`(select value as id, key + 1 as place from json_each(${JSON.stringify(ids)}))`,
  arrayOf: (value) => sql`json_group_array(${value})`,
  orUpdate: (insert, key, changes) =>
    insert.onConflict((conflict) =>
      conflict.columns([key].flat() as never).doUpdateSet(changes as never)
    ),
  incoming: (column) => sql`excluded.${sql.id(column)}`,
  mayContain: (text, folded) => sql`contains_folded(${text}, ${folded})`,
  sha256: (text) => sql`sha256(${text})`,
  triggers: sqliteTriggers,
  mark: sql.raw(mark),
  // The deferral ends with the transaction, which then checks the keys.
  referenceLater: { begin: sql`pragma defer_foreign_keys = on`, end: sql`select 1` },
  // SQLite has no indexes inside `create table`.
  async createTable(db, { name, table, indexes }) {
    await table.execute()
    for (const [index, columns] of Object.entries(indexes)) {
      await addIndex(db, { index, table: name, columns })
    }
  },
  addIndex,
  async replaceTrigger(db, { name, definition }) {
    await db.transaction().execute(async (db) => {
      await sql`drop trigger if exists ${sql.table(name)}`.execute(db)
      await sql.raw(`create trigger ${name} ${definition}`).execute(db)
    })
  },
  removeStandIns: () => Promise.resolve(),
  types: {
    id: "text",
    slug: "text",
    long: "integer",
    integer: "integer",
    percent: "real",
    flag: "integer",
    json: "text",
    sequence: "integer",
    hiddenVersion: sql.raw("integer not null default 0"),
    text: () => "text",
    longText: "text",
  },
}

async function addIndex(
  db: Kysely<unknown>,
  { index, table, columns }: Parameters<Dialect["addIndex"]>[1],
): Promise<void> {
  await db.schema.createIndex(index).ifNotExists().on(table).columns([...columns]).execute()
}

/**
 * Opens a file, waiting up to `timeout` milliseconds for its locks. Later statements do not wait. @throws {UserError}
 * if it is not a database.
 */
function openFile(path: string, timeout: number, pragmas: readonly string[]): DatabaseSync {
  try {
    const file = new DatabaseSync(path, { timeout })
    for (const pragma of [...pragmas, "busy_timeout = 0"]) file.exec(`pragma ${pragma}`)
    return file
  } catch (error) {
    const { message } = error as Error
    // Deno has no `errcode`.
    const reason = /^unable to open/.test(message)
      ? "it is not a file that can be read"
      : /not a database/.test(message) && "the file is not an SQLite database"
    if (!reason) throw error
    throw new UserError(
      `Cannot open the embedded database: ${reason}. Nothing was changed: check the path in database.url.`,
    )
  }
}

/** Kysely's minimal view of a SQLite database, over `node:sqlite`. */
function connectTo(path: string, options: DatabaseOptions, pragmas: string[]): SqliteDatabase {
  // A transaction that reads before it writes fails at once if another process has written in between, since SQLite
  // cannot move its snapshot. Taking the write lock at the beginning makes it wait instead.
  const begin = pragmas.includes(readOnly) ? "begin" : "begin immediate"
  const file = openFile(path, options.timeLimit * 1000, pragmas)

  let deadline = 0
  // Only a search can take long here, and nothing can interrupt it. So the functions that it calls per row check the
  // time.
  const checkTime = () => {
    if (performance.now() > deadline) {
      throw new DOMException("The search took too long.", "TimeoutError")
    }
  }
  file.function("contains_folded", { deterministic: true }, (text, term) => {
    checkTime()
    return text !== null && searchableText(String(text)).includes(String(term)) ? 1 : 0
  })
  file.function("sha256", { deterministic: true }, (text) => {
    checkTime()
    return sha256(String(text))
  })

  const statements = new Map<string, SqliteStatement>()
  return {
    close: () => file.close(),
    prepare: (sent) => {
      const text = sent === "begin" ? begin : sent
      const statement = statements.get(text) ?? adapt(file.prepare(text))
      if (statements.size < 500) statements.set(text, statement)
      deadline = performance.now() + options.timeLimit * 1000
      return statement
    },
  }
}

function adapt(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => readAll(statement, parameters.map(bind)),
    run: (parameters) => statement.run(...parameters.map(bind)),
    iterate: (parameters) => statement.iterate(...parameters.map(bind)),
  }
}

/**
 * Reads all rows. Rounds integers that a number cannot hold: valid records have none, and one must not block the
 * others.
 */
function readAll(statement: StatementSync, parameters: readonly SQLInputValue[]) {
  try {
    return statement.all(...parameters)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_OUT_OF_RANGE") throw error
  }
  statement.setReadBigInts(true)
  try {
    return statement.all(...parameters).map(rounded)
  } finally {
    statement.setReadBigInts(false)
  }
}

function rounded(row: Record<string, unknown>): Record<string, unknown> {
  const values = Object.entries(row).map(([column, value]) =>
    [column, typeof value === "bigint" ? Number(value) : value] as const
  )
  return Object.fromEntries(values)
}

function bind(value: unknown): SQLInputValue {
  if (typeof value === "boolean") return value ? 1 : 0
  return value as SQLInputValue
}
