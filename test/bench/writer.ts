import { setTimeout as sleep } from "node:timers/promises"
import mysql from "mysql2/promise"
import { categories, type Category } from "../../core/records/kinds/categories.ts"
import { type BenchData, type EventName, filledUntil } from "./data.ts"

/** One transaction: its records have this text as `mobile` (guests) or `name` (items), and this `updated`. */
export interface Change {
  readonly ids: readonly string[]
  readonly text: string
  readonly updated: number
  /** When each database, in the order in which they were opened, had committed it, on the clock of `performance`. */
  readonly committed: readonly number[]
}

/** The `updated` of a change, and when it was committed, in Unix milliseconds. */
export interface ChangeTime {
  readonly updated: number
  readonly at: number
}

/** A writer who is at work. */
export interface Changes {
  readonly first: ChangeTime
  /** The number of transactions until now. */
  readonly count: number
  /** Ends the work once the current transaction is committed, and returns the last one. @throws if one failed. */
  stop(): Promise<Change>
}

export const changesPerSecond = 5
/** Has no factor in common with the number of records, so that each has its turn. */
const stride = 38_611

/** A table of which the writer changes some column. */
interface Target {
  readonly table: string
  readonly event: string
  readonly column: "mobile" | "name"
  readonly ids: readonly string[]
}

/**
 * Changes records in transactions of five, in all databases in the same way: the same records get the same
 * values, and also the same `updated`, one second later with each transaction. It works in the bench's
 * process, which only waits while a load runs, and has connections of its own.
 */
export class Writer {
  readonly #connections: readonly mysql.Connection[]
  readonly #targets: Readonly<Record<EventName, readonly Target[]>>
  #transactions = 0
  /** How many records were changed. */
  readonly #changed: Record<EventName, number> = { large: 0, middle: 0, bazaar: 0 }

  private constructor(
    connections: readonly mysql.Connection[],
    targets: Readonly<Record<EventName, readonly Target[]>>,
  ) {
    this.#connections = connections
    this.#targets = targets
  }

  /** Opens a writer for databases that were filled with the same data. */
  static async open(urls: readonly string[], data: BenchData): Promise<Writer> {
    const connections = await Promise.all(urls.map((uri) => mysql.createConnection({ uri })))
    // Else the triggers would set `updated` to the present time, which is another one in each database.
    for (const each of connections) await each.query("set @event_export_history = 1")
    const [first] = connections as [mysql.Connection]
    const target = async (category: Category, name: EventName): Promise<Target> => {
      const event = data[name]
      const table = categories[category]
      const sql = `select id from ${table} where event_id = ? order by id`
      const [rows] = await first.execute<mysql.RowDataPacket[]>(sql, [event])
      const column = category === "guests" ? "mobile" : "name"
      return { table, event, column, ids: rows.map(({ id }) => String(id)) }
    }
    const items = (Object.keys(categories) as Category[]).filter((name) => name !== "guests")
    return new Writer(connections, {
      large: [await target("guests", "large")],
      middle: [await target("guests", "middle")],
      bazaar: await Promise.all(items.map((category) => target(category, "bazaar"))),
    })
  }

  /** The `updated` of the next transaction's records. */
  get nextUpdated(): number {
    return filledUntil + this.#transactions + 1
  }

  /** Commits a transaction in each database: it changes guests of an event, or of the bazaar items of all categories in turn. */
  async commit(name: EventName): Promise<Change> {
    const updated = this.nextUpdated
    const text = `+1 ${++this.#transactions}`
    const committed: number[] = []
    const picked = Array.from({ length: changesPerSecond }, () => this.#pick(name))
    const statements = [...Map.groupBy(picked, ({ target }) => target)].map(([target, those]) => {
      const { table, event, column } = target
      const slots = those.map(() => "?").join()
      const ids = those.map(({ id }) => id)
      return {
        sql:
          `update ${table} set ${column} = ?, updated = ? where event_id = ? and id in (${slots})`,
        values: [text, updated, event, ...ids],
      }
    })
    for (const connection of this.#connections) {
      await connection.beginTransaction()
      let rows = 0
      for (const { sql, values } of statements) {
        rows += (await connection.execute<mysql.ResultSetHeader>(sql, values))[0].affectedRows
      }
      if (rows !== changesPerSecond) throw new Error(`The writer changed only ${rows} rows.`)
      await connection.commit()
      committed.push(performance.now())
    }
    return { ids: picked.map(({ id }) => id), text, updated, committed }
  }

  /** Returns the next record to change. */
  #pick(name: EventName): { readonly target: Target; readonly id: string } {
    const index = this.#changed[name]++
    const targets = this.#targets[name]
    const target = targets[index % targets.length] as Target
    const id = target.ids[Math.floor(index / targets.length) * stride % target.ids.length]
    if (id === undefined) throw new Error(`There is nothing to change in the event ${name}.`)
    return { target, id }
  }

  /** Commits a transaction now, and from now on one each second. */
  async begin(name: EventName): Promise<Changes> {
    const stopping = new AbortController()
    let last = await this.commit(name)
    const first = { updated: last.updated, at: Date.now() }
    let count = 1
    const began = performance.now()
    const run = async () => {
      while (!stopping.signal.aborted) {
        const due = began + count * 1000
        const wait = Math.max(0, due - performance.now())
        await sleep(wait, undefined, { signal: stopping.signal }).catch(() => {})
        if (stopping.signal.aborted) return
        last = await this.commit(name)
        count++
      }
    }
    const running = run()
    // The error is thrown by `stop`.
    running.catch(() => {})
    return {
      first,
      get count() {
        return count
      },
      async stop() {
        stopping.abort()
        await running
        return last
      },
    }
  }

  async close(): Promise<void> {
    for (const connection of this.#connections) await connection.end()
  }
}
