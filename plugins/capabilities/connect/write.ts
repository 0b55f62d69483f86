import { setTimeout as pause } from "node:timers/promises"
import type { Kysely } from "kysely"
import {
  type Database,
  isLocked,
  translateError,
  Unavailable,
  UserError,
} from "../../../core/capability.ts"
import type { Schema } from "../../../core/tables.ts"
import type { ChangedRecord, GoneRecords, RefusedRow } from "./comparison.ts"
import { addressKinds, type AddressPart, ownerOf, type SourceKind } from "./kinds.ts"
import type { Origin } from "./known-rows.ts"

/** Rows per transaction: few, so that writers and polls beside it wait only milliseconds. */
const portionOfWrites = 200

/** How often a transaction is tried that the database has ended in favour of another. */
const mostAttempts = 5

type Writer = Pick<Database, "background" | "dialect" | "inBackground">

/**
 * Writes records of one kind, each in one transaction with its row of `connect_row`. They go in the order of their keys: a
 * transaction then changes few pages of each table, which takes half the time. Returns those that the database refuses even
 * when they are tried one by one.
 * @throws {Unavailable} if the database is away, and {UserError} if it lacks a table or a right: the portions before are written.
 */
export async function writeRecords(
  database: Writer,
  rows: readonly ChangedRecord[],
  { origin, renew }: { readonly origin: Origin; readonly renew: () => Promise<void> },
): Promise<readonly RefusedRow[]> {
  const refused: RefusedRow[] = []
  const write = (some: readonly ChangedRecord[]) =>
    inTransaction(database, (db) => writePortion({ ...database, db }, some, origin))
  const placeOf = ({ eventId, id }: ChangedRecord) => `${eventId} ${id}`
  for (const some of inPortions(rows.toSorted((a, b) => placeOf(a) < placeOf(b) ? -1 : 1))) {
    await renew()
    try {
      await write(some)
    } catch (error) {
      assertAboutRow(error)
      for (const row of some) {
        await write([row]).catch((error) => {
          assertAboutRow(error)
          const { kind, key, before } = row
          const isTooLarge = (error as { code?: unknown }).code === "ER_NET_PACKET_TOO_LARGE"
          const reason = isTooLarge
            ? "it is larger than max_allowed_packet of the service's database"
            : "the database of the service refuses it"
          refused.push({ kind, key, reason, column: "", hasCopy: before !== undefined })
        })
      }
    }
  }
  return refused
}

/** How databases say that they lack a table, a column or a right, whatever the row is. */
const lacking = /^ER_(NO_SUCH_TABLE|BAD_FIELD_ERROR|\w*ACCESS_DENIED_ERROR)|no such (table|column)/

/** @throws the error if it is not about a row. */
function assertAboutRow(error: unknown): void {
  if (translateError(error) instanceof Unavailable) throw error
  const { code, message } = error as { readonly code?: unknown; readonly message: string }
  if (!lacking.test(`${code} ${message}`)) return
  throw new UserError(
    `The service cannot write: ${message}. "event-export check" says what it lacks.`,
  )
}

interface Transaction extends Writer {
  readonly db: Kysely<Schema>
}

async function writePortion(
  transaction: Transaction,
  rows: readonly ChangedRecord[],
  origin: Origin,
): Promise<void> {
  const { db } = transaction
  const kind = rows[0]?.kind as SourceKind
  const moved = rows.filter(({ before, eventId }) => before && before.eventId !== eventId)
  for (const [from, some] of Map.groupBy(moved, ({ before }) => before?.eventId ?? null)) {
    await deleteRows(db, { kind, event: from, ids: some.map(({ id }) => id) })
  }
  const key = ownerOf(kind) === "event" ? ["event_id", "id"] : ["id"]
  const added = kind === "guest" ? rows.filter(({ before }) => !before) : []
  if (added.length > 0) await writeAhead(transaction, added)
  await upsert(transaction, kind, rows.map(({ record }) => record), key)
  if (kind === "guest") await writeBelongings(transaction, rows.filter(({ before }) => before))
  const made = rows.map(({ kind, id, eventId, key, hash }) => ({
    ...{ kind, id, event_id: eventId, origin, source_key: key, hash },
  }))
  await upsert(transaction, "connect_row", made, ["kind", "id"])
}

/** Writes what belongs to new guests before the guests: afterwards, it would be logged as another change of each. */
async function writeAhead(
  transaction: Transaction,
  added: readonly ChangedRecord[],
): Promise<void> {
  const { dialect: { referenceLater }, db } = transaction
  await referenceLater.begin.execute(db)
  try {
    await insertBelongings(transaction, added)
  } finally {
    await referenceLater.end.execute(db)
  }
}

async function insertBelongings(
  transaction: Transaction,
  rows: readonly ChangedRecord[],
): Promise<void> {
  const consents = rows.flatMap(({ consent }) => consent ? [consent] : [])
  await upsert(transaction, "consent", consents, ["event_id", "guest_id"])
  const addresses = rows.flatMap((row) => row.addresses)
  await upsert(transaction, "address", addresses, ["event_id", "guest_id", "kind"])
}

/** Replaces consents and addresses after their guests: other writers lock them in this order, too. */
async function writeBelongings(
  transaction: Transaction,
  rows: readonly ChangedRecord[],
): Promise<void> {
  await insertBelongings(transaction, rows)
  for (const [event, guests] of Map.groupBy(rows, ({ eventId }) => eventId ?? "")) {
    const without = (hasPart: (guest: ChangedRecord) => boolean) =>
      guests.flatMap((guest) => hasPart(guest) ? [] : guest.id)
    const ids = without(({ consent }) => consent !== null)
    await deleteRows(transaction.db, { kind: "consent", event, ids })
    for (const kind of Object.values(addressKinds)) {
      const ids = without(({ addresses }) => addresses.some((each) => each["kind"] === kind))
      await deleteRows(transaction.db, { kind: "address", event, ids, of: kind })
    }
  }
}

/** Deletes records, and forgets what they were made of. */
export async function deleteRecords(
  database: Writer,
  { kind, event, ids }: Pick<GoneRecords, "kind" | "event" | "ids">,
): Promise<void> {
  for (const some of inPortions(ids)) {
    await inTransaction(database, async (db) => {
      await deleteRows(db, { kind, event: event || null, ids: some })
      await db.deleteFrom("connect_row").where("kind", "=", kind).where("id", "in", some).execute()
    })
  }
}

/** Deletes records of an event, or what belongs to its guests, or events and organizations. */
async function deleteRows(
  db: Kysely<Schema>,
  { kind, event, ids, of }: {
    readonly kind: SourceKind | "consent" | "address"
    readonly event: string | null
    readonly ids: readonly string[]
    /** Of addresses. */
    readonly of?: AddressPart
  },
): Promise<void> {
  if (ids.length === 0) return
  const key = kind === "consent" || kind === "address" ? "guest_id" : "id"
  // The tables have this in common.
  await db.deleteFrom(kind as "address").where(key as "guest_id", "in", ids)
    .$if(event !== null, (query) => query.where("event_id", "=", event ?? ""))
    .$if(of !== undefined, (query) => query.where("kind", "=", of as AddressPart)).execute()
}

/** Inserts rows, or changes those that are there: together, those that have the same columns. */
async function upsert(
  { dialect, db }: Transaction,
  table: SourceKind | "consent" | "address" | "connect_row",
  rows: readonly object[],
  key: readonly string[],
): Promise<void> {
  for (const [names, same] of Map.groupBy(rows, (row) => Object.keys(row).join())) {
    const columns = names.split(",").filter((column) => !key.includes(column))
    const changes = Object.fromEntries(columns.map((column) => [column, dialect.incoming(column)]))
    // The tables differ; what they have in common is enough here.
    const insert = db.insertInto(table as "guest").values(same as never)
    await dialect.orUpdate(insert, key as readonly "id"[], changes).execute()
  }
}

function inPortions<T>(values: readonly T[]): readonly (readonly T[])[] {
  const count = Math.ceil(values.length / portionOfWrites)
  return Array.from(
    { length: count },
    (_, at) => values.slice(at * portionOfWrites, (at + 1) * portionOfWrites),
  )
}

/** Runs work in a transaction of the background connection, and again if the database has ended it for another. */
async function inTransaction(
  database: Writer,
  work: (db: Kysely<Schema>) => Promise<void>,
): Promise<void> {
  for (let attempt = 1;; attempt++) {
    try {
      await database.inBackground(() => database.background.transaction().execute(work))
      return
    } catch (error) {
      if (attempt >= mostAttempts || !isLocked(error)) throw error
      await pause(Math.random() * 200 * attempt)
    }
  }
}
