import { type Kysely, type RawBuilder, sql } from "kysely"
import type { Database } from "../data/database.ts"
import type { Dialect } from "../data/dialect.ts"
import type { Schema } from "../data/schema.ts"
import { type Log, RetryLog } from "../log.ts"

/** What one snapshot of the log says about an event. */
export interface EventChanges {
  readonly id: string
  /** The number and the sum of marks of the rows that were folded; null if none were. */
  readonly foldedChanges: number | null
  readonly foldedMark: number | null
  /**
   * Separated by spaces: the number of rows in the log above that, up to `mostChanges` + 1; the sum of their marks; and
   * the epoch.
   */
  readonly recent: string
}

/** Distinguishes two states of an event's records. */
export interface EventVersion {
  /** The number of all changes, and the sum of their marks. */
  readonly changes: number
  readonly mark: number
  /** What is the same as long as a version of a record stands for one content. */
  readonly epoch: string
}

/** Returns true if these are exactly the changes between two versions; without any, if both versions are the same. */
export function areBetween(
  changes: readonly { readonly mark: number }[],
  from: EventVersion,
  to: EventVersion,
): boolean {
  const mark = changes.reduce((sum, { mark }) => (sum + mark) % markRange, from.mark)
  return from.changes + changes.length === to.changes && mark === to.mark && from.epoch === to.epoch
}

/** Upper bound for the rows that are counted. An event that changes more often is not worth caching. */
export const mostChanges = 1000

/** Marks are summed up modulo this. */
export const markRange = 2 ** 52

/** Selects what `EventChanges.recent` is. */
export function selectRecentChanges(eventId: RawBuilder<string>): RawBuilder<string> {
  return sql`(select concat(count(*), ' ', coalesce(sum(mark) % ${sql.lit(markRange)}, 0), ' ',
    (select coalesce(epoch, 0) from change_state where id = 1)) from (
    select mark from event_change where event_id = ${eventId}
    and seq > coalesce((select seq from event_version where event_id = ${eventId}), 0)
    limit ${sql.lit(mostChanges + 1)}) as rest)`
}

/** How `Versions` folds. */
export interface VersionsOptions {
  readonly log: Log
  /** Returns what the version of every event depends on; undefined while changes may go unnoticed. */
  readonly common: () => string | undefined
  /** Number of rows above which an event's log is folded, to keep the sum short. */
  readonly many?: number
}

/** Milliseconds after which `fold` begins nothing more. */
const foldTime = 300

/**
 * The version of an event's records: two snapshots with the same version hold the same records, on whatever instance or
 * server.
 *
 * The transaction of each change adds a row with a random mark to the log. So the number of changes and the sum of
 * their marks identify a set of changes, even if a server hands out the sequence numbers of lost changes again, or
 * applies changes in another order.
 *
 * The sum stays short because settled rows are folded into one row per event, which is part of the same snapshot.
 * Folding and pruning change no version, and a version outlives the process.
 */
export class Versions {
  readonly #database: Database
  readonly #options: Required<VersionsOptions>
  readonly #attempts: RetryLog
  /** The events whose log should be folded. */
  readonly #waiting = new Set<string>()
  /** Events of which nothing could be folded, up to what is settled now. */
  readonly #vain = new Set<string>()
  #settled = 0

  constructor(database: Database, options: VersionsOptions) {
    this.#database = database
    this.#options = { many: 100, ...options }
    this.#attempts = new RetryLog(() => options.log, {
      failed: "cannot fold the log now; the sum of its marks takes longer",
      over: "the log is folded again",
    })
  }

  /** Returns the version of an event as a text, or undefined if it is not known. */
  versionOf(event: EventChanges): string | undefined {
    const version = this.eventVersionOf(event)
    return version && `${version.changes} ${version.mark} ${version.epoch}`
  }

  /** Returns the version of an event, or undefined if it is not known. */
  eventVersionOf(
    { id, foldedChanges, foldedMark, recent }: EventChanges,
  ): EventVersion | undefined {
    const [rows = 0, marks = 0] = recent.split(" ").map(Number)
    const common = this.#options.common()
    if (rows > this.#options.many) this.#waiting.add(id)
    if (common === undefined || rows > mostChanges || (foldedChanges === null && rows === 0)) {
      return undefined
    }
    const changes = (foldedChanges ?? 0) + rows
    const epoch = `${common} ${recent.split(" ")[2]}`
    return { changes, mark: ((foldedMark ?? 0) + marks) % markRange, epoch }
  }

  /**
   * Folds the logs of events whose sum is long, one after the other; what takes too long continues with the next call.
   * An event of which nothing could be folded waits until more is settled. Never throws.
   */
  async fold(): Promise<void> {
    if (this.#waiting.size === 0) return
    const until = performance.now() + foldTime
    try {
      const { background } = this.#database
      const settled = await findSettled(background)
      if (settled !== this.#settled) this.#vain.clear()
      this.#settled = settled
      for (const event of this.#waiting) {
        if (performance.now() > until) break
        // Requests add it again while its sum is long.
        this.#waiting.delete(event)
        if (this.#vain.has(event)) continue
        const folded = await foldEvent(this.#database, event, until)
        if (folded === 0) this.#vain.add(event)
      }
      this.#attempts.succeeded()
    } catch (error) {
      this.#attempts.failed(error)
    }
  }
}

/** Rows that are folded by one statement. The sum of more marks may be too large for a database. */
const portion = 1000

/**
 * Adds the settled rows of an event's log to its row in `event_version`, until all are in it, or until a time on the
 * clock of `performance.now()`. Returns the number of rows that this has added: if two do this at once, one of them
 * adds a portion, and the other continues with the next.
 */
export async function foldEvent(
  { background, dialect }: Pick<Database, "background" | "dialect">,
  eventId: string,
  until = Infinity,
): Promise<number> {
  // One transaction, and so one server: after a failover, what was read on the former may not exist.
  const fold = (db: Kysely<Schema>) => foldPortion(db, dialect, eventId)
  for (let sum = 0;;) {
    const { found, added } = await background.transaction().execute(fold)
    sum += added
    if (found === 0 || performance.now() > until) return sum
  }
}

async function foldPortion(
  db: Kysely<Schema>,
  dialect: Dialect,
  eventId: string,
): Promise<{ readonly found: number; readonly added: number }> {
  const upTo = await findSettled(db)
  const base = await db.selectFrom("event_version").selectAll().where("event_id", "=", eventId)
    .executeTakeFirst()
  const from = base?.seq ?? 0
  const next = db
    .selectFrom("event_change")
    .select(["seq", "mark"])
    .where("event_id", "=", eventId)
    .where("seq", ">", from)
    .where("seq", "<=", upTo)
    .orderBy("seq")
    .limit(portion)
  const { rows, marks, last } = await db
    .selectFrom(next.as("next"))
    .select((eb) => [
      eb.fn.countAll<number>().as("rows"),
      sql<number>`sum(mark) % ${sql.lit(markRange)}`.as("marks"),
      eb.fn.max("seq").as("last"),
    ])
    .executeTakeFirstOrThrow()
  if (rows === 0) return { found: 0, added: 0 }
  const values = {
    seq: last,
    changes: (base?.changes ?? 0) + rows,
    mark: ((base?.mark ?? 0) + Number(marks)) % markRange,
  }
  if (!base) {
    // Changes nothing if another instance has just done it.
    const insert = db.insertInto("event_version").values({ event_id: eventId, ...values })
    await dialect.orUpdate(insert, "event_id", { event_id: eventId }).execute()
    return { found: rows, added: rows }
  }
  const { numUpdatedRows } = await db.updateTable("event_version").set(values)
    .where("event_id", "=", eventId).where("seq", "=", from).executeTakeFirst()
  return { found: rows, added: numUpdatedRows > 0n ? rows : 0 }
}

/** Returns the number up to which all rows of the log are committed that ever will be. */
export async function findSettled(db: Kysely<Schema>): Promise<number> {
  const { settled } = await db.selectFrom("change_state").select("settled")
    .executeTakeFirstOrThrow()
  return settled
}
