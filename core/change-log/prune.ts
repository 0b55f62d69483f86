import { setImmediate } from "node:timers/promises"
import type { Kysely } from "kysely"
import type { Database } from "../data/database.ts"
import { deleteInPortions } from "../data/delete-in-portions.ts"
import type { Schema } from "../data/schema.ts"
import { loggedTables } from "../data/triggers.ts"
import { noteForgotten, recordedSince } from "./horizon.ts"
import { findSettled, foldEvent } from "./versions.ts"
import { walkLifetime } from "./walk-lifetime.ts"

/** Rows per statement, so that a platform that needs one of them does not wait long. */
const portion = 2000

/**
 * Deletes what is older than `retention` seconds from the log and from the deletions, and positions that no walk needs
 * any more. Returns the number of rows. Stops after the running statement when `signal` aborts.
 *
 * Remembers the latest deletion that it has deleted of a list, in the same transaction, so that no reader takes a partly
 * deleted time for a complete one. Folds an event's log, once, before it deletes from it, so that its version stays.
 * Deletes from the oldest end, in ranges of a key: writers append at the other end, so they never wait for this.
 */
export async function pruneChangeLog(
  database: Database,
  retention: number,
  signal?: AbortSignal,
): Promise<number> {
  const { background, dialect } = database
  const { now } = await background.selectNoFrom(dialect.now.as("now")).executeTakeFirstOrThrow()
  const cutoff = now - retention
  const vacant = { before: now - walkLifetime, upTo: Infinity, signal }
  return await pruneChanges(database, cutoff, signal) +
    await deleteOldest(background, "vacant_position", vacant) +
    await forgetSteps(background, cutoff)
}

/**
 * Deletes changes from an hour before the cutoff, and with them the old deletions of their events. A deletion
 * is logged a moment before it gets its time, so that none can be left behind.
 */
async function pruneChanges(
  database: Database,
  cutoff: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  const { background } = database
  let sum = 0
  const pruned = new Set<string>()
  const forget = async (first: number, last: number) => {
    for (const { id, last: lastOfEvent, folded } of await eventsIn(background, first, last)) {
      if (signal?.aborted) return
      if ((folded ?? 0) < lastOfEvent) await foldEvent(database, id)
      if (pruned.has(id)) continue
      sum += await pruneDeletions(database, { event: id, cutoff, signal })
      sum += await pruneDepartures(database, { event: id, cutoff, signal })
      pruned.add(id)
    }
  }
  const upTo = await findSettled(background)
  const range = { before: cutoff - 3600, upTo, signal, forget }
  return await deleteOldest(background, "event_change", range) + sum
}

/** Returns the events that have changes in a range, the last of each, and how far its log is folded. */
async function eventsIn(db: Kysely<Schema>, first: number, last: number) {
  return await db
    .selectFrom((eb) =>
      eb.selectFrom("event_change")
        .select((eb) => ["event_id as id", eb.fn.max("seq").as("last")])
        .where("seq", ">=", first)
        .where("seq", "<=", last)
        .groupBy("event_id")
        .as("changed")
    )
    .leftJoin("event_version", "event_version.event_id", "changed.id")
    .select(["changed.id", "changed.last", "event_version.seq as folded"])
    .execute()
}

interface Range {
  /** Rows are deleted whose `at` is earlier. */
  readonly before: number
  /** The last row that may be deleted. */
  readonly upTo: number
  readonly signal: AbortSignal | undefined
  /** Called before a range of rows is deleted. Returns early if the signal aborts. */
  readonly forget?: (first: number, last: number) => Promise<void>
}

/** Deletes the oldest rows, until it meets one that is too young. */
async function deleteOldest(
  db: Kysely<Schema>,
  table: "event_change" | "vacant_position",
  { before, upTo, signal, forget }: Range,
): Promise<number> {
  let sum = 0
  let more = true
  while (more && !signal?.aborted) {
    const oldest = await db.selectFrom(table).select(["seq", "at"]).orderBy("seq")
      .limit(portion).execute()
    const young = oldest.findIndex(({ seq, at }) => at >= before || seq > upTo)
    const rows = young < 0 ? oldest : oldest.slice(0, young)
    more = young < 0
    const [first, end] = [rows[0]?.seq, rows.at(-1)?.seq]
    if (first === undefined || end === undefined) break
    await forget?.(first, end)
    // Rows that are not folded are still needed for the version of their event.
    if (signal?.aborted) break
    sum += await deleteRange(db, table, { first, end })
  }
  return sum
}

/**
 * Deletes an event's deletions from before the cutoff; their latest time stays. Keeps the deletion of a record that exists
 * again: the ledger needs its times.
 */
async function pruneDeletions(
  { background }: Database,
  { event, cutoff, signal }: {
    readonly event: string
    readonly cutoff: number
    readonly signal: AbortSignal | undefined
  },
): Promise<number> {
  let sum = 0
  for (let last = "";;) {
    // One after the other: to find all at once, the database would read all deletions of the event.
    const { category } = await background.selectFrom("deletion")
      .select((eb) => eb.fn.min<string | null>("category").as("category"))
      .where("event_id", "=", event).where("category", ">", last).executeTakeFirstOrThrow()
    if (category === null) return sum
    last = category
    const [table] = Object.entries(loggedTables).find(([, name]) => name === category) ?? []
    sum += await deleteInPortions(background, {
      find: (limit) =>
        background.selectFrom("deletion").select(["record_id", "at"])
          .where("event_id", "=", event).where("category", "=", category).where("at", "<", cutoff)
          .$if(table !== undefined, (query) =>
            query.where(({ not, exists, selectFrom }) =>
              not(exists(
                selectFrom(`${table} as record` as "guest as record").select("record.id")
                  .where("record.event_id", "=", event).whereRef("record.id", "=", "record_id"),
              ))
            ))
          .orderBy("at").limit(limit).execute(),
      begin: (db, rows) =>
        noteForgotten(db, { eventId: event, category, at: rows.at(-1)?.at ?? cutoff }),
      remove: async (db, { record_id, at }) => {
        const { numDeletedRows } = await db.deleteFrom("deletion")
          .where("event_id", "=", event).where("category", "=", category)
          .where("record_id", "=", record_id).where("at", "=", at).executeTakeFirst()
        if (numDeletedRows === 0n) return
        await db.deleteFrom("record_start").where("event_id", "=", event)
          .where("category", "=", category).where("record_id", "=", record_id).execute()
      },
    }, signal)
  }
}

/** The same for what lists with filters have lost. The row that hides others is not earlier, and goes after them. */
async function pruneDepartures(
  { background }: Database,
  { event, cutoff, signal }: Parameters<typeof pruneDeletions>[1],
): Promise<number> {
  return await deleteInPortions(background, {
    find: (limit) =>
      background.selectFrom("departure").select(["seq", "at"])
        .where("event_id", "=", event).where("at", "<", cutoff)
        .orderBy("at").orderBy("seq").limit(limit).execute(),
    begin: (db, rows) =>
      noteForgotten(db, {
        eventId: event,
        category: "departures",
        at: rows.at(-1)?.at ?? cutoff,
      }),
    remove: (db, { seq }) => db.deleteFrom("departure").where("seq", "=", seq).execute(),
  }, signal)
}

/**
 * Forgets steps of the clock from before the cutoff. A `since` from before one would not be taken back, so it gets a
 * 410.
 */
async function forgetSteps(db: Kysely<Schema>, cutoff: number): Promise<number> {
  const { last } = await db.selectFrom("clock_step")
    .select((eb) => eb.fn.max<number | null>("reached").as("last"))
    .where("reached", "<", cutoff).executeTakeFirstOrThrow()
  if (last === null) return 0
  await db.updateTable("change_state").set({ complete_since: last + 1, retained_since: null })
    .where(recordedSince, "<=", last).execute()
  const { numDeletedRows } = await db.deleteFrom("clock_step")
    .where("reached", "<=", last).executeTakeFirst()
  return Number(numDeletedRows)
}

/**
 * Locks the rows that it deletes, and no gaps between rows. The last row goes by itself: the end of a range is found
 * at the row behind it, which a writer may have locked.
 */
async function deleteRange(
  db: Kysely<Schema>,
  table: "event_change" | "vacant_position",
  { first, end }: { readonly first: number; readonly end: number },
): Promise<number> {
  const sum = await db.transaction().setIsolationLevel("read committed").execute(async (db) => {
    const before = await db.deleteFrom(table).where("seq", ">=", first).where("seq", "<", end)
      .executeTakeFirst()
    const last = await db.deleteFrom(table).where("seq", "=", end).executeTakeFirst()
    return before.numDeletedRows + last.numDeletedRows
  })
  // The embedded database never waits: without this, nothing else would run until the end.
  await setImmediate()
  return Number(sum)
}
