import process from "node:process"
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite"
import { misconfigured, unusable } from "./errors.ts"
import type { Change, CopiedRecord, ExportRecord, State } from "../pull.d.mts"

/** The most tables, and the most columns of a table. */
const [mostTables, mostColumns] = [100, 250]

/** Returns the class that opens SQLite files. */
export async function loadSqlite(): Promise<new (file: string) => DatabaseSync> {
  const [bun, node] = ["bun:sqlite", "node:sqlite"]
  if (process.versions["bun"]) return (await import(bun)).Database
  // Node.js 22 warns that SQLite is experimental.
  const { emitWarning } = process
  process.emitWarning = () => {}
  const sqlite = await import(node).catch(() => undefined)
  process.emitWarning = emitWarning
  if (sqlite) return sqlite.DatabaseSync
  throw misconfigured(`this needs Node.js 22.13 or newer, and this is ${process.version}`)
}

/**
 * A copy in a SQLite file: a table per category, with the record as JSON and a column for each of its
 * fields. Fields of fields stay JSON: `mainAddress ->> 'town'`.
 */
export class Copy {
  readonly #db: DatabaseSync
  /** The columns of each table. */
  readonly #tables = new Map<string, Set<string>>()
  readonly #statements = new Map<string, StatementSync>()
  #isInTransaction = false
  /** The numbers of new or changed records, and of removed ones, so far. */
  changed = 0
  removed = 0
  /** Requests so far. */
  requests = 0

  constructor(db: DatabaseSync) {
    this.#db = db
    db.exec(
      `pragma busy_timeout = 10000; pragma journal_mode = wal; pragma synchronous = full; pragma secure_delete = on;
       create table if not exists pull_state (id integer primary key, state text not null);
       create table if not exists pull_files (event text, category text, primary key (event, category))`,
    )
    this.#findTables()
  }

  /** The tables with records. */
  get categories(): string[] {
    return [...this.#tables.keys()]
  }

  /** Returns the state of the last commit. */
  state(): State | undefined {
    const row = this.#sql("select state from pull_state").get() as { state: string } | undefined
    return row && JSON.parse(row.state)
  }

  /** Applies a change. All changes up to a commit, and its state, become visible together. */
  apply(change: Change): void {
    if (!this.#isInTransaction) this.#db.exec("begin immediate")
    this.#isInTransaction = true
    if (change.type === "upsert") this.#upsert(change)
    else if (change.type === "delete") {
      this.#delete(change.event, change.category, "id = ?", change.id)
    } else if (change.type === "sweep") {
      for (const category of this.categories) {
        const list = ["events", "guests"].includes(category) ? category : "items"
        if (list !== change.list) continue
        this.#delete(change.event, category, "generation < ?", change.generation)
      }
    } else if (change.type === "gone" && this.#tables.has("events")) {
      this.#sql(`update "events" set gone = 1 where id = ?`).run(change.event)
      this.#mark("", "events")
    } else if (change.type === "commit") {
      this.#sql("replace into pull_state values (1, ?)").run(JSON.stringify(change.state))
      this.#db.exec("commit")
      this.#isInTransaction = false
    }
  }

  /** Rolls back uncommitted changes. */
  rollback(): void {
    try {
      if (this.#isInTransaction) this.#db.exec("rollback")
    } catch {
      // SQLite rolls back by itself after some errors, such as a full disk.
    }
    this.#isInTransaction = false
    // New columns may have been rolled back, too.
    this.#findTables()
  }

  /** Returns the compared parts of the records of an event and category, ordered by id. */
  *compared(event: string, category: string): Iterable<CopiedRecord> {
    if (!this.#tables.has(category)) return
    const sql = `select id, updated, record as json from "${category}" where event = ? order by id`
    yield* this.#sql(sql).iterate(event) as Iterable<CopiedRecord>
  }

  /**
   * Returns the records of an event and category as lines of JSON, ordered by id; of all events if `event` is empty.
   */
  *records(event: string, category: string): Iterable<string> {
    const record = category === "events"
      ? "iif(gone, json_set(record, '$.gone', json('true')), record)"
      : "record"
    const sql = `select ${record} as record from "${category}" where ? in ('', event) order by id`
    for (const row of this.#sql(sql).iterate(event) as Iterable<{ record: string }>) {
      yield `${row.record}\n`
    }
  }

  /** Returns the number of records of events. */
  count(): number {
    const categories = this.categories.filter((name) => name !== "events")
    const counts = categories.map((name) => this.#sql(`select count(*) as n from "${name}"`).get())
    return (counts as { n: number }[]).reduce((sum, { n }) => sum + n, 0)
  }

  /** Returns the files that are out of date, missing, or written in another format. */
  outdated(form: number, isMissing: (event: string, category: string) => boolean) {
    const last = this.#sql("pragma user_version").get() as { user_version: number }
    for (const category of this.categories) {
      const name = category === "events" ? "''" : "event"
      const rows = this.#sql(`select distinct ${name} as event from "${category}"`).all()
      for (const { event } of rows as { event: string }[]) {
        if (isMissing(event, category) || last.user_version !== form) this.#mark(event, category)
      }
    }
    this.#db.exec(`pragma user_version = ${form}`)
    return this.#sql("select * from pull_files").all() as { event: string; category: string }[]
  }

  /** Remembers that a file is up to date. */
  written(event: string, category: string): void {
    this.#sql("delete from pull_files where event = ? and category = ?").run(event, category)
  }

  close(): void {
    this.rollback()
    this.#db.close()
  }

  #upsert({ event, category, id, record, generation }: Change & { type: "upsert" }): void {
    this.#addColumns(category, record)
    const isEvent = category === "events"
    const json = JSON.stringify(record)
    const select = `select record from "${category}" where event = ? and id = ?`
    const old = this.#sql(select + (isEvent ? " and not gone" : "")).get(event, id)
    this.#sql(
      `insert into "${category}" (event, id, updated, generation, record) values (?, ?, ?, ?, ?)
       on conflict do update set updated = excluded.updated, generation = excluded.generation,
         record = excluded.record${isEvent ? ", gone = 0" : ""}`,
    ).run(event, id, record.updated, generation, json)
    if ((old as { record: string } | undefined)?.record === json) return
    if (!isEvent) this.changed++
    this.#mark(isEvent ? "" : event, category)
  }

  #delete(event: string, category: string, condition: string, value: SQLInputValue): void {
    if (!this.#tables.has(category)) return
    const sql = `delete from "${category}" where event = ? and ${condition}`
    const changes = Number(this.#sql(sql).run(event, value).changes)
    if (changes > 0) this.#mark(event, category)
    this.removed += changes
  }

  /** Remembers that a file is out of date. */
  #mark(event: string, category: string): void {
    this.#sql("insert or ignore into pull_files values (?, ?)").run(event, category)
  }

  /** Adds a table for a new category, and columns for new fields. */
  #addColumns(category: string, record: ExportRecord): void {
    if (!this.#tables.has(category)) {
      if (this.#tables.size >= mostTables) throw unusable(`more than ${mostTables} categories`)
      const isTaken = this.categories.some((name) => name.toLowerCase() === category.toLowerCase())
      if (isTaken) throw unusable("categories whose names differ only in case")
      this.#db.exec(
        `create table "${category}" (event text not null, id text not null, updated integer not null,
           generation integer not null, record text not null,
           ${category === "events" ? "gone integer not null default 0," : ""}
           primary key (event, id)) without rowid`,
      )
      this.#findTables()
    }
    const columns = this.#tables.get(category) ?? new Set()
    for (const name of Object.keys(record)) {
      // Names of columns ignore case. The field `record` has all fields.
      if (columns.has(name.toLowerCase()) || !/^\w+$/.test(name)) continue
      if (columns.size >= mostColumns) return
      this.#db.exec(`alter table "${category}" add column "${name}" as (record ->> '$.${name}')`)
      columns.add(name.toLowerCase())
    }
  }

  /** Finds the tables with records. The copy's owner may have added others. */
  #findTables(): void {
    this.#tables.clear()
    const tables = this.#db.prepare("select name from sqlite_schema where type = 'table'").all()
    for (const { name } of tables as { name: string }[]) {
      const columns = this.#db.prepare(`pragma table_xinfo("${name}")`).all() as { name: string }[]
      const names = new Set(columns.map(({ name }) => name.toLowerCase()))
      if (names.has("generation") && names.has("record")) this.#tables.set(name, names)
    }
  }

  #sql(text: string): StatementSync {
    const statement = this.#statements.get(text) ?? this.#db.prepare(text)
    this.#statements.set(text, statement)
    return statement
  }
}
