import { hash } from "node:crypto"
import { type AbortableQueryOptions, type Kysely, type Selectable, sql } from "kysely"
import type { Database } from "../../../core/capability.ts"
import type { Schema } from "../../../core/tables.ts"

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

/** Disclosures over a period: a row of the ledger. */
type Range = Omit<Selectable<Schema["disclosure"]>, "seq">

interface LedgerOptions {
  /**
   * Ranges of which one ends less than this many seconds before the other begins are kept as one. What has its
   * `updated` in between counts as sent then.
   */
  readonly near: number
  /** The sets of fields that are known to be in the database. Those that are added are put into it. */
  readonly known: Set<string>
  readonly signal: AbortSignal
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
  { near, known, signal }: LedgerOptions,
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
  return hash("sha256", fields.join("\n")).slice(0, 16)
}

/** Merges ranges of the same key that meet. Returns them in an order that is the same in all instances. */
function fold(disclosures: readonly Disclosure[], near: number): Range[] {
  const byKey = Map.groupBy(
    disclosures.map(rangeOf),
    (range) => Object.values(keyOf(range)).join("\n"),
  )
  return [...byKey.keys()].toSorted().flatMap((key) => {
    const merged: Range[] = []
    const group = byKey.get(key) ?? []
    for (const range of group.toSorted((a, b) => a.from_time - b.from_time)) {
      const last = merged.at(-1)
      if (!last || range.from_time > last.to_time + near) merged.push(range)
      else merged[merged.length - 1] = union(last, range)
    }
    return merged
  })
}

function rangeOf({ eventId, list, accountId, prefix, ...disclosure }: Disclosure): Range {
  const { fields, whole, from, to, at, next } = disclosure
  return {
    event_id: eventId,
    list,
    account_id: accountId,
    prefix,
    fields: fieldSetOf(fields),
    whole: Number(whole),
    from_time: from,
    to_time: to,
    first_at: at,
    last_at: at,
    first_next: next,
  }
}

/** Returns the columns that ranges have in common which are merged. */
function keyOf({ event_id, list, account_id, prefix, fields, whole }: Range) {
  return { event_id, list, account_id, prefix, fields, whole }
}

/** Returns a range that contains two, with all else of the first. */
function union<T extends Omit<Range, keyof ReturnType<typeof keyOf>>>(one: T, other: T): T {
  return {
    ...one,
    from_time: Math.min(one.from_time, other.from_time),
    to_time: Math.max(one.to_time, other.to_time),
    first_at: Math.min(one.first_at, other.first_at),
    last_at: Math.max(one.last_at, other.last_at),
    first_next: Math.min(one.first_next, other.first_next),
  }
}

interface AddOptions {
  readonly near: number
  readonly limit: AbortableQueryOptions
}

async function addRange(db: Kysely<Schema>, range: Range, options: AddOptions): Promise<void> {
  const updated = await widenRows(db, range, options)
  if (updated === 0) {
    await db.insertInto("disclosure").values(range).execute(options.limit)
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
  const { numUpdatedRows } = await db
    .updateTable("disclosure")
    .set({
      from_time: least("from_time", range.from_time),
      to_time: greatest("to_time", range.to_time),
      first_at: least("first_at", range.first_at),
      last_at: greatest("last_at", range.last_at),
      first_next: least("first_next", range.first_next),
    })
    .where((eb) => eb.and(keyOf(range)))
    .where("to_time", ">=", range.from_time - near)
    .where("from_time", "<=", range.to_time + near)
    .executeTakeFirst(limit)
  return Number(numUpdatedRows)
}

/** Makes one row of those that contain a range. */
async function joinRows(db: Kysely<Schema>, range: Range, { limit }: AddOptions): Promise<void> {
  const rows = await db
    .selectFrom("disclosure")
    .select(["seq", "from_time", "to_time", "first_at", "last_at", "first_next"])
    .where((eb) => eb.and(keyOf(range)))
    .where("to_time", ">=", range.to_time)
    .where("from_time", "<=", range.from_time)
    .orderBy("seq")
    .execute(limit)
  if (rows.length === 0) return
  const { seq, ...times } = rows.reduce(union)
  await db.updateTable("disclosure").set(times).where("seq", "=", seq).execute(limit)
  for (const { seq } of rows.slice(1)) {
    await db.deleteFrom("disclosure").where("seq", "=", seq).execute(limit)
  }
}

function least(name: string, value: number) {
  const column = sql.ref(name)
  return sql<number>`case when ${column} > ${value} then ${value} else ${column} end`
}

function greatest(name: string, value: number) {
  const column = sql.ref(name)
  return sql<number>`case when ${column} < ${value} then ${value} else ${column} end`
}
