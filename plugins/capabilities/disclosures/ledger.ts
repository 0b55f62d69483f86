import { type AbortableQueryOptions, type Kysely, sql } from "kysely"
import { type Database, type Schema, sha256 } from "../../../core/capability.ts"

/** Records of a list that an account was sent. Times are Unix seconds on the database's clock. */
export interface Disclosure {
  readonly eventId: string
  readonly accountId: string
  /** The prefix of the family's paths. */
  readonly prefix: string
  /** The name of the list. */
  readonly list: string
  /** The names of the fields, as `Guest.email`. */
  readonly fields: readonly string[]
  /** False if some records of the range may have been left out. */
  readonly whole: boolean
  /** The records had an `updated` from here to there, both included. */
  readonly from: number
  readonly to: number
  readonly at: number
  /** The `Next-Since` of the walk: what was deleted before is not among them. */
  readonly next: number
}

/** Like a `Disclosure`, over a period. */
interface Range extends Omit<Disclosure, "at" | "next" | "fields"> {
  readonly fieldSet: string
  readonly firstAt: number
  readonly lastAt: number
  readonly firstNext: number
}

/** How ranges are kept. */
export interface LedgerOptions {
  /**
   * Ranges of which one ends less than this many seconds before the other begins are kept as one. What has its
   * `updated` in between counts as sent then.
   */
  readonly near: number
}

/**
 * Adds disclosures to the ledger. A range that meets one of the same account, list and fields is merged with it
 * by an update in place, so that no instance undoes the work of another. If two add the first one at the same
 * time, there are two rows until another range meets both. Some of it may be done if it fails: it can be done
 * again. Gives up once the signal aborts.
 */
export async function addDisclosures(
  { writer, dialect }: Database,
  disclosures: readonly Disclosure[],
  { near, known, signal }: LedgerOptions & {
    /** The sets of fields that are known to be in the database. Those that are added are put into it. */
    readonly known: Set<string>
    readonly signal: AbortSignal
  },
): Promise<void> {
  const limit = { signal, inflightQueryAbortStrategy: dialect.onTimeout }
  for (const { fields } of disclosures) {
    const id = fieldSetOf(fields)
    if (known.has(id)) continue
    const row = { id, fields: JSON.stringify(fields) }
    await dialect.orUpdate(writer.insertInto("field_set").values(row), "id", { fields: row.fields })
      .execute(limit)
    known.add(id)
  }
  for (const range of fold(disclosures, near)) await addRange(writer, range, { near, limit })
}

/** Returns the id of a set of fields. */
export function fieldSetOf(fields: readonly string[]): string {
  return sha256(fields.join("\n")).slice(0, 16)
}

/** Merges ranges of the same key that meet. Returns them in an order that is the same in all instances. */
function fold(disclosures: readonly Disclosure[], near: number): Range[] {
  const ranges = disclosures.map(({ fields, at, next, ...rest }): Range => ({
    ...rest,
    fieldSet: fieldSetOf(fields),
    firstAt: at,
    lastAt: at,
    firstNext: next,
  }))
  const byKey = Map.groupBy(ranges, keyOf)
  return [...byKey.keys()].toSorted().flatMap((key) => {
    const merged: Range[] = []
    const group = byKey.get(key) ?? []
    for (const range of group.toSorted((a, b) => a.from - b.from)) {
      const last = merged.at(-1)
      if (!last || range.from > last.to + near) merged.push(range)
      else merged[merged.length - 1] = union(last, range)
    }
    return merged
  })
}

function keyOf({ eventId, list, accountId, prefix, fieldSet, whole }: Range): string {
  return [eventId, list, accountId, prefix, fieldSet, whole].join("\n")
}

/** Returns the range of two, of which the first does not begin later. */
function union(one: Range, other: Range): Range {
  return {
    ...one,
    to: Math.max(one.to, other.to),
    firstAt: Math.min(one.firstAt, other.firstAt),
    lastAt: Math.max(one.lastAt, other.lastAt),
    firstNext: Math.min(one.firstNext, other.firstNext),
  }
}

interface AddOptions extends LedgerOptions {
  readonly limit: AbortableQueryOptions
}

async function addRange(db: Kysely<Schema>, range: Range, options: AddOptions): Promise<void> {
  const updated = await widenRows(db, range, options)
  if (updated === 0) {
    const { from, to, firstAt, lastAt, firstNext } = range
    const times = { first_at: firstAt, last_at: lastAt, first_next: firstNext }
    await db.insertInto("disclosure")
      .values({ ...columnsOf(range), from_time: from, to_time: to, ...times }).execute(
        options.limit,
      )
  } else if (updated > 1) {
    await db.transaction().setIsolationLevel("read committed").execute(async (db) => {
      // Once more, which changes nothing, but locks them.
      await widenRows(db, range, options)
      await joinRows(db, range, options)
    })
  }
}

/** Widens the rows that meet a range so that they contain it. Returns their number. */
async function widenRows(
  db: Kysely<Schema>,
  range: Range,
  { near, limit }: AddOptions,
): Promise<number> {
  const { from, to, firstAt, lastAt, firstNext } = range
  const { numUpdatedRows } = await db
    .updateTable("disclosure")
    .set({
      from_time: least("from_time", from),
      to_time: greatest("to_time", to),
      first_at: least("first_at", firstAt),
      last_at: greatest("last_at", lastAt),
      first_next: least("first_next", firstNext),
    })
    .where((eb) => eb.and(columnsOf(range)))
    .where("to_time", ">=", from - near)
    .where("from_time", "<=", to + near)
    .executeTakeFirst(limit)
  return Number(numUpdatedRows)
}

/** Makes one row of those that contain a range. */
async function joinRows(db: Kysely<Schema>, range: Range, { limit }: AddOptions): Promise<void> {
  const rows = await db
    .selectFrom("disclosure")
    .select(["seq", "from_time", "to_time", "first_at", "last_at", "first_next"])
    .where((eb) => eb.and(columnsOf(range)))
    .where("to_time", ">=", range.to)
    .where("from_time", "<=", range.from)
    .orderBy("seq")
    .execute(limit)
  const [first, ...others] = rows
  if (!first) return
  await db
    .updateTable("disclosure")
    .set({
      from_time: Math.min(...rows.map((row) => row.from_time)),
      to_time: Math.max(...rows.map((row) => row.to_time)),
      first_at: Math.min(...rows.map((row) => row.first_at)),
      last_at: Math.max(...rows.map((row) => row.last_at)),
      first_next: Math.min(...rows.map((row) => row.first_next)),
    })
    .where("seq", "=", first.seq)
    .execute(limit)
  for (const { seq } of others) {
    await db.deleteFrom("disclosure").where("seq", "=", seq).execute(limit)
  }
}

function columnsOf({ eventId, list, accountId, prefix, fieldSet, whole }: Range) {
  return {
    event_id: eventId,
    list,
    account_id: accountId,
    prefix,
    fields: fieldSet,
    whole: Number(whole),
  }
}

function least(column: string, value: number) {
  return sql<number>`case when ${sql.ref(column)} > ${value} then ${value} else ${
    sql.ref(column)
  } end`
}

function greatest(column: string, value: number) {
  return sql<number>`case when ${sql.ref(column)} < ${value} then ${value} else ${
    sql.ref(column)
  } end`
}
