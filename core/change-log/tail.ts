import { setTimeout } from "node:timers/promises"
import { type RawBuilder, sql } from "kysely"
import { CompiledStatement } from "../data/compiled-query.ts"
import type { Database } from "../data/database.ts"
import { type Log, RetryLog } from "../log.ts"

/** A list of an event with a change that has become visible. */
export interface VisibleChange {
  readonly event: string
  /** The id of the event's organization; null if the event is gone. */
  readonly organization: string | null
  /** Any list, if null. */
  readonly list: "guests" | "items" | "events" | null
  /** The time of the last change, in Unix seconds. */
  readonly at: number
  /** The number of the last change in the log. */
  readonly seq: number
  /** Differs whenever a change has become visible, even one with an earlier number. */
  readonly version: string
}

/** What a look has found. */
export interface TailResult {
  readonly changes: readonly VisibleChange[]
  /** All of these are behind this number. */
  readonly behind: number
  /** The number up to which all changes were visible; undefined if the log is empty and the database counts nothing. */
  readonly settled: number | undefined
  /** True if anything else may have changed: the log was emptied, or a trigger was missing. */
  readonly isEmptied: boolean
}

/** Something that is told about changes. */
export interface Listener {
  /** Returns the interval between looks that it needs now, in milliseconds. */
  every(): number
  /** Receives the result of a look; undefined if it has failed: a later one finds the same. Never throws. */
  hear(found: TailResult | undefined): void
}

interface TailOptions {
  readonly log: Log
  /** Returns what the version of every event depends on; undefined while changes may go unnoticed. */
  readonly common: () => string | undefined
}

/** A row per event and list, or the last line, which has no event. Sums may come as text. */
interface Row {
  readonly event_id: string | null
  readonly organization_id: string | null
  readonly list: string | null
  readonly seq: number | null
  readonly at: number
  readonly changes: number
  readonly marks: number | string
  readonly later_changes: number
  readonly later_marks: number | string
}

/** Marks are summed up modulo this: the embedded database adds no larger ones. */
const range = 2 ** 32

/** Number of looks in about a second. The fastest says most: a busy process makes others seem slow. */
const mostTimes = 20

/**
 * Follows the change log of one server while somebody listens: one statement per look finds, for all listeners, which
 * lists have changed since the one before. Looks take at most a tenth of the time.
 *
 * Rows may be committed in another order than their numbers say. So a look compares, by list, the rows that are not
 * settled: how many there are, and the sum of their random marks. What is settled gets no more rows, so the next look
 * begins behind it. A change that is committed after `listen` has resolved is told, perhaps more than once.
 */
export class Tail {
  readonly #database: Pick<Database, "readOnce">
  readonly #options: TailOptions
  readonly #listeners = new Set<Listener>()
  readonly #ended = new AbortController()
  /** The first look; undefined while nobody listens. */
  #begun: Promise<void> | undefined
  #running: Promise<void> = Promise.resolve()
  /** The number behind which the next look begins; undefined before the first look. */
  #from: number | undefined
  /** What the last look has found to be settled. */
  #settled: number | undefined
  /** By list: the rows behind that number at the last look. */
  #known = new Map<string, { readonly signature: string; readonly seq: number }>()
  #common: string | undefined
  /** Durations of the latest looks in milliseconds, at first zeros: a single slow look says little. */
  #took: readonly number[] = []

  constructor(database: Pick<Database, "readOnce">, options: TailOptions) {
    this.#database = database
    this.#options = options
  }

  /**
   * Tells a listener how far the log is and, until the result is disposed of, everything that is committed after this
   * has resolved.
   * @throws as the database does.
   */
  async listen(listener: Listener): Promise<Disposable> {
    this.#ended.signal.throwIfAborted()
    this.#listeners.add(listener)
    try {
      await (this.#begun ??= this.#begin())
    } catch (error) {
      this.#listeners.delete(listener)
      throw error
    }
    const settled = this.#settled
    listener.hear({ changes: [], behind: this.#from ?? 0, settled, isEmptied: false })
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) }
  }

  /** Looks now, and tells listeners what has become visible since the last look. @throws as the database does. */
  async look(): Promise<void> {
    const behind = this.#from ?? 0
    const { changes, settled } = await this.#compare(behind)
    const common = this.#options.common()
    const isEmptied = (settled ?? behind) < behind || hasEmptied(this.#common, common)
    this.#common = common ?? this.#common
    for (const listener of [...this.#listeners]) {
      listener.hear({ changes, behind, settled, isEmptied })
    }
  }

  async close(): Promise<void> {
    this.#ended.abort()
    await this.#begun?.catch(() => {})
    await this.#running
  }

  /** Finds out where to begin, and what is not settled then. */
  async #begin(): Promise<void> {
    try {
      const [last] = await this.#read(Number.MAX_SAFE_INTEGER)
      await this.#compare(last?.seq ?? 0)
    } catch (error) {
      this.#begun = undefined
      throw error
    }
    this.#common = this.#options.common()
    this.#took = Array.from({ length: mostTimes }, () => 0)
    this.#running = this.#follow()
  }

  /** Never throws. */
  async #follow(): Promise<void> {
    const { signal } = this.#ended
    const attempts = new RetryLog(() => this.#options.log, {
      failed: "cannot look for changes now; waiting requests go on waiting",
      over: "changes are looked for again",
    })
    let pause = this.#every
    while (this.#listeners.size > 0) {
      try {
        await setTimeout(pause, undefined, { signal, ref: false })
        const start = performance.now()
        await this.look()
        const took = performance.now() - start
        this.#took = [took, ...this.#took].slice(0, mostTimes)
        pause = Math.max(this.#every - took, 9 * Math.min(...this.#took))
        attempts.succeeded()
      } catch (error) {
        if (signal.aborted) return
        pause = this.#every
        attempts.failed(error)
        for (const listener of [...this.#listeners]) listener.hear(undefined)
      }
    }
    // The next listener begins anew. Nothing may be awaited between the loop's end and here.
    this.#begun = undefined
  }

  get #every(): number {
    return Math.min(...[...this.#listeners].map((listener) => listener.every()))
  }

  async #read(from: number): Promise<readonly Row[]> {
    return await this.#database.readOnce((reader) => reader.run(statement.with(reader, { from })))
  }

  /** Compares the rows behind a number with those of the last look. If it fails, the next look compares with the same. */
  async #compare(from: number): Promise<Pick<TailResult, "changes" | "settled">> {
    const rows = await this.#read(from)
    const settled = rows.find(({ event_id }) => event_id === null)?.seq ?? undefined
    const lists = rows.filter(({ event_id }) => event_id !== null)
    const changes = lists.flatMap((row) => {
      const known = this.#known.get(keyOf(row))
      if (known?.signature === signature(row.changes, row.marks)) return []
      const isLate = known !== undefined && known.seq >= Number(row.seq)
      const { organization_id: organization, seq, marks } = row
      return [{ ...changeOf(row), organization, ...isLate && { version: `${seq} ${marks}` } }]
    })
    this.#from = settled ?? from
    this.#settled = settled
    this.#known = new Map(
      lists.filter(({ later_changes }) => Number(later_changes) > 0).map((row) => [
        keyOf(row),
        { signature: signature(row.later_changes, row.later_marks), seq: Number(row.seq) },
      ]),
    )
    return { changes, settled }
  }
}

function signature(changes: number, marks: number | string): string {
  return `${Number(changes)} ${Number(marks)}`
}

function keyOf({ event_id, list }: Row): string {
  return `${event_id} ${list}`
}

/** Returns the last change of a list, from a row that has the values of `eventOfRow` and `listOfRow`. */
export function changeOf(
  { event_id, list, seq, at }: {
    readonly event_id: string | null
    readonly list: string | null
    readonly seq: number | null
    readonly at: number | null
  },
): Omit<VisibleChange, "organization"> {
  return {
    event: String(event_id),
    list: list === "guests" || list === "events" || list === "items" ? list : null,
    at: Number(at),
    seq: Number(seq),
    version: `${seq}`,
  }
}

/** Returns true if a table has become empty: `truncate` fires no trigger, so it is not in the log. */
export function hasEmptied(before: string | undefined, after: string | undefined): boolean {
  if (before === undefined || after === undefined) return false
  return [...after].some((digit, index) => digit < (before[index] ?? ""))
}

/** The number up to which all changes are visible, as a part of a statement. */
export const settled: RawBuilder<number> = sql`(select settled from change_state where id = 1)`

/** The list of a row of the log that is called `recent`; empty if anything may have changed. */
export const listOfRow: RawBuilder<string> = sql`case when recent.category is null then ''
  when recent.category in ('guests', 'events') then recent.category else 'items' end`

/**
 * The event of such a row. To group by the column itself, the embedded database would read everything in an index's
 * order.
 */
export const eventOfRow: RawBuilder<string> = sql`concat(recent.event_id, '')`

/**
 * Returns a row per list that has changes behind `from`, and a row with the number up to which everything is settled.
 */
const statement = new CompiledStatement<"from", Row>(({ db, dialect }, slot) => {
  const marks = sql`recent.mark % ${sql.lit(range)}`
  const groups = sql<Row>`
    select ${eventOfRow} as event_id, max(event.organization_id) as organization_id,
      ${listOfRow} as list, max(recent.seq) as seq, max(recent.at) as at, count(*) as changes,
      sum(${marks}) as marks, sum(case when recent.seq > ${settled} then 1 else 0 end) as later_changes,
      sum(case when recent.seq > ${settled} then ${marks} else 0 end) as later_marks
    from event_change as recent ${dialect.byPrimaryKey}
    left join event on event.id = recent.event_id
    where recent.seq > ${slot("from")}
    group by 1, 3
    union all
    select null, null, null, ${settled}, 0, 0, 0, 0, 0`
  return db.selectFrom(sql<Row>`(${groups})`.as("page")).selectAll()
})
