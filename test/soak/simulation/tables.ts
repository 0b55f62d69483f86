import { statSync } from "node:fs"
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite"
import { type Truth, truthOf } from "../../support/truth.ts"
import { categories } from "../../../core/records/kinds/categories.ts"
import { Life } from "./life.ts"
import type { Statement } from "./virtual/statements.ts"

interface Opened {
  readonly database: DatabaseSync
  readonly inode: number
  readonly statements: Map<string, StatementSync>
}

/** Columns that have JSON in the embedded database. */
const columnsOfJson = ["categories", "increments"]

const recordTables = [
  ...Object.values(categories),
  "event",
  "organization",
  "consent",
  "address",
]
const namesRecords = new RegExp(`\\b(${recordTables.join("|")})\\b`)

/** The tables of a world's database, read on a connection of its own without any code of the service. */
export class Tables {
  readonly #file: string
  #opened: Opened | undefined
  /** The records of events, as long as nobody has written any. */
  readonly #known = new Map<string, Promise<Truth>>()
  /** Processes that may have changed records in a transaction that has not ended. */
  readonly #changing = new Set<Statement["owner"]>()

  constructor(file: string) {
    this.#file = file
  }

  /** Returns the rows of a statement that reads. */
  all<T>(sql: string, ...values: readonly SQLInputValue[]): readonly T[] {
    const { database, statements } = this.#open()
    const statement = statements.get(sql) ?? database.prepare(sql)
    statements.set(sql, statement)
    return statement.all(...values) as unknown as readonly T[]
  }

  /** Returns the records of an event. */
  recordsOf(event: string): Promise<Truth> {
    // Opens another file if a backup took its place.
    this.#open()
    const known = this.#known.get(event) ??
      truthOf((table) => Promise.resolve(this.#read(table, event)))
    this.#known.set(event, known)
    return known
  }

  /** Is called with each statement that has taken effect. */
  follow({ sql, owner }: Statement): void {
    if (/^\s*(select|with|pragma|begin)\b/.test(sql)) return
    const isEnd = sql === "commit" || sql === "rollback"
    // Services write no records. Whatever others do may change some.
    const isTheirs = owner instanceof Life && !namesRecords.test(sql)
    if (isTheirs && !(isEnd && this.#changing.has(owner))) return
    this.#known.clear()
    if (isEnd) this.#changing.delete(owner)
    else this.#changing.add(owner)
  }

  /** Closes its connection. Whoever replaces the database by other means than statements calls it right after. */
  close(): void {
    this.#opened?.database.close()
    this.#opened = undefined
    this.#known.clear()
  }

  #read(table: string, event: string): Record<string, unknown>[] {
    const sql = `select * from "${table}" where event_id = ?`
    return this.all<Record<string, unknown>>(sql, event).map((row) => {
      for (const name of columnsOfJson) {
        if (typeof row[name] === "string") row[name] = JSON.parse(row[name])
      }
      return row
    })
  }

  #open(): Opened {
    const { ino: inode } = statSync(this.#file)
    if (this.#opened?.inode !== inode) this.close()
    this.#opened ??= {
      database: new DatabaseSync(this.#file, { readOnly: true }),
      inode,
      statements: new Map(),
    }
    return this.#opened
  }
}
