import { setTimeout as pause } from "node:timers/promises"
import type { Kysely } from "kysely"
import { type Database, isLocked } from "../../../core/capability.ts"
import type { Schema } from "../../../core/tables.ts"
import type { Taken } from "./convert.ts"
import type { Kind } from "./kinds.ts"
import type { Origin } from "./known-rows.ts"

/** Rows of a transaction: few, so that writers and polls beside it wait for milliseconds. */
export const portionOfWrites = 200

/** How often a transaction begins again that the database has ended in favour of another. */
const mostAttempts = 5

type Writer = Pick<Database, "background" | "dialect" | "inBackground">

/**
 * Writes rows of one kind, and what they were made of, in one transaction: both are there, or neither is. The guest is
 * locked before its consent and addresses.
 * @throws as the database does; nothing is written then.
 */
export async function writeRows(
  database: Writer,
  rows: readonly Taken[],
  origin: Origin,
): Promise<void> {
  const [first] = rows
  if (!first) return
  await inTransaction(database, async (db) => {
    for (const [from, moved] of Map.groupBy(rows, ({ movedFrom }) => movedFrom)) {
      if (from !== undefined) await deleteOf(db, first.kind, from, moved.map(({ id }) => id))
    }
    await upsert(database, db, first.kind, rows.map(({ record }) => record), keyOf(first.kind))
    if (first.kind === "guest") await writeBelongings(database, db, rows)
    await upsert(
      database,
      db,
      "connect_row",
      rows.map(({ kind, id, eventId, key, sourceHash, hash }) => ({
        ...{ kind, id, event_id: eventId, origin, source_key: key },
        ...{ source_hash: sourceHash, hash },
      })),
      ["kind", "id"],
    )
  })
}

/** Notes that rows look different in their source, and became the same records. */
export async function noteRows(database: Writer, rows: readonly Taken[]): Promise<void> {
  await inTransaction(database, async (db) => {
    for (const { kind, id, sourceHash } of rows) {
      await db.updateTable("connect_row").set({ source_hash: sourceHash })
        .where("kind", "=", kind).where("id", "=", id).execute()
    }
  })
}

/** Deletes records of one event, or events, and forgets what they were made of. */
export async function deleteRows(
  database: Writer,
  { kind, eventId, ids }: {
    readonly kind: Kind
    readonly eventId: string | null
    readonly ids: readonly string[]
  },
): Promise<void> {
  for (let first = 0; first < ids.length; first += portionOfWrites) {
    const some = ids.slice(first, first + portionOfWrites)
    await inTransaction(database, async (db) => {
      await deleteOf(db, kind, eventId, some)
      await db.deleteFrom("connect_row").where("kind", "=", kind).where("id", "in", some).execute()
    })
  }
}

/** Deletes records of an event, or events and organizations. */
async function deleteOf(
  db: Kysely<Schema>,
  kind: Kind,
  eventId: string | null,
  ids: readonly string[],
): Promise<void> {
  // The tables of records have the same key.
  await db.deleteFrom(kind as "guest").where("id", "in", ids)
    .$if(eventId !== null, (query) => query.where("event_id", "=", eventId ?? "")).execute()
}

/** Replaces the consents and addresses of guests. */
async function writeBelongings(
  database: Writer,
  db: Kysely<Schema>,
  rows: readonly Taken[],
): Promise<void> {
  const consents = rows.flatMap(({ consent }) => consent ? [consent] : [])
  await upsert(database, db, "consent", consents, ["event_id", "guest_id"])
  const addresses = rows.flatMap((row) => row.addresses)
  await upsert(database, db, "address", addresses, ["event_id", "guest_id", "kind"])
  for (const [eventId, same] of Map.groupBy(rows, (row) => row.eventId ?? "")) {
    const without = same.filter(({ consent }) => !consent).map(({ id }) => id)
    if (without.length > 0) {
      await db.deleteFrom("consent").where("event_id", "=", eventId).where(
        "guest_id",
        "in",
        without,
      ).execute()
    }
    for (const kind of ["main", "gift_aid", "tax_receipt"] as const) {
      const none = same.filter((row) => !row.addresses.some((address) => address["kind"] === kind))
        .map(({ id }) => id)
      if (none.length === 0) continue
      await db.deleteFrom("address").where("event_id", "=", eventId).where("guest_id", "in", none)
        .where("kind", "=", kind).execute()
    }
  }
}

function keyOf(kind: Kind): readonly string[] {
  return kind === "organization" || kind === "event" ? ["id"] : ["event_id", "id"]
}

/** Inserts rows, or changes those that are there. All have the same columns. */
async function upsert(
  { dialect }: Writer,
  db: Kysely<Schema>,
  table: Kind | "consent" | "address" | "connect_row",
  rows: readonly object[],
  key: readonly string[],
): Promise<void> {
  if (rows.length === 0) return
  const columns = Object.keys(rows[0] ?? {}).filter((column) => !key.includes(column))
  const changes = Object.fromEntries(columns.map((column) => [column, dialect.incoming(column)]))
  // The tables differ; what they have in common is enough here.
  const insert = db.insertInto(table as "guest").values(rows as never)
  await dialect.orUpdate(insert, key as readonly "id"[], changes).execute()
}

/** Runs work in a transaction of the background connection, again if the database has ended it for another's sake. */
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
