import { type Kysely, type RawBuilder, sql } from "kysely"
import type { Database } from "./database.ts"
import type { Dialect, Trigger, TriggerFault } from "./dialect.ts"
import { kernelBaseline, migrationState } from "./migration-state.ts"
import type { Schema } from "./schema.ts"

/** The tables whose changes are logged, and what partners call the records of each. */
export const loggedTables = {
  guest: "guests",
  buy_now_item: "buyNows",
  auction_item: "auctionItems",
  pledge: "pledges",
  raffle: "prizeDraws",
  gli_raffle: "gliRaffles",
  ticket: "tickets",
} as const

/** The tables whose changes are changes of a guest. */
export const partsOfGuests = ["consent", "address"] as const

/** The tables whose changes are changes of records. */
export const trackedTables: readonly string[] = [...Object.keys(loggedTables), ...partsOfGuests]

/** Returns all triggers that the tables should have. */
export function triggersOf(
  { dialect: { triggers } }: { readonly dialect: Pick<Dialect, "triggers"> },
): Trigger[] {
  return [
    ...["organization", "account"].flatMap((table) => triggers.stamp(table)),
    ...triggers.event("event"),
    ...Object.entries(loggedTables).flatMap(([table, category]) =>
      triggers.record(table, category)
    ),
    ...partsOfGuests.flatMap((table) => triggers.touchGuest(table)),
    ...triggers.departure("departure"),
  ]
}

/**
 * Returns the triggers that are missing or have another definition. A user who may not see triggers only learns whether
 * one of that name exists; `findRebuilt` then tells whether it is the right one. After a later version has migrated the
 * database, different triggers are of that version, and do at least what these do.
 */
export async function findTriggerFaults(database: Database): Promise<TriggerFault[]> {
  const { background, dialect, storages } = database
  const faults = await dialect.inspection.findTriggerFaults(background, triggersOf(database))
  if (faults.every(({ fault }) => fault !== "different")) return faults
  const { later } = await migrationState({ writer: background, storages })
  return later.length === 0 ? faults : faults.filter(({ fault }) => fault === "missing")
}

/**
 * Creates the triggers that are missing, replaces others than it expects, and notes which tables have them. If changes
 * may have been missed, begins another epoch. Adds what is restored to `restored`, as `trigger guest_insert` or `table
 * guest`.
 *
 * @throws as the database does; what is done stays done, and the next call does the rest.
 */
export async function restoreTriggers(
  database: Database,
  { restored, recorded }: {
    readonly restored: Set<string>
    /** The migrations that had been applied before. */
    readonly recorded: readonly string[]
  },
): Promise<void> {
  const { migrator, dialect } = database
  const faults = await findTriggerFaults(database)
  // Version 1 could turn off what notes when records began. Different triggers of other versions note it as well.
  const isGap = faults.some(({ fault }) =>
    fault === "missing" || !recorded.includes(kernelBaseline)
  )
  if (isGap && recorded.length > 0) await openGap(migrator, dialect)
  const rebuilt = await findRebuilt(database)
  for (const { trigger, fault } of faults) {
    const { name, definition } = trigger
    if (fault === "missing") {
      await sql.raw(`create trigger if not exists ${name} ${definition}`).execute(migrator)
    } else await dialect.replaceTrigger(migrator, trigger)
    restored.add(`trigger ${name}`)
  }
  await closeGap(migrator, dialect.now)
  if (faults.length > 0 || rebuilt.length > 0) await renewVersions(migrator, dialect)
  const { server } = await migrator.selectNoFrom(dialect.server.as("server"))
    .executeTakeFirstOrThrow()
  for (const [name, made] of await dialect.inspection.findMade(migrator, watched)) {
    await dialect.orUpdate(
      migrator.insertInto("watched_table").values({ name, made, server }),
      "name",
      { made, server },
    ).execute()
  }
  await dialect.removeStandIns(migrator)
  for (const name of rebuilt) restored.add(`table ${name}`)
}

/**
 * The key of the row that belongs to no record: its time is the end of the last gap, during which a trigger was
 * missing.
 */
const ofGap = { event_id: "", category: "", record_id: "" }

/** The end of a gap that has not ended. */
const openEnd = Number.MAX_SAFE_INTEGER

/** Notes that records may change without triggers from now on. */
async function openGap(db: Kysely<Schema>, dialect: Dialect): Promise<void> {
  const insert = db.insertInto("record_start").values({ ...ofGap, time: openEnd })
  await dialect.orUpdate(insert, ["event_id", "category", "record_id"], { time: openEnd }).execute()
}

/** Ends a gap, if there is one. */
async function closeGap(db: Kysely<Schema>, now: RawBuilder<number>): Promise<void> {
  await db.updateTable("record_start").set({ time: now })
    .where((eb) => eb.and({ ...ofGap, time: openEnd })).execute()
}

/** Begins another epoch, and logs a change of every event, so that all waiting requests look again. */
export async function renewVersions(db: Kysely<Schema>, dialect: Dialect): Promise<void> {
  await sql`insert into event_change (event_id, at, mark)
    select id, ${dialect.now}, ${dialect.mark} from event`.execute(db)
  await renewEpoch(db, dialect)
}

/** Gives every event and every record a version that it has never had. */
export async function renewEpoch(db: Kysely<Schema>, { mark }: Dialect): Promise<void> {
  await sql`update change_state set epoch = ${mark}`.execute(db)
}

/** When tables were made on another server than `migrate` ran on, as first seen, with what `migrate` has noted. */
export type TableTimes = Map<string, { readonly noted: string; readonly made: string }>

/**
 * Returns the tables that were rebuilt since their triggers were checked; `truncate` does not count. On another server
 * than that of the last `migrate`, returns those that were rebuilt since `first` noted them.
 */
export async function findRebuilt(
  { background, dialect }: Database,
  first: TableTimes = new Map(),
): Promise<string[]> {
  const known = await background.selectFrom("watched_table").selectAll()
    .select(dialect.server.as("present")).execute()
  const times = await dialect.inspection.findMade(background, known.map(({ name }) => name))
  return known.filter((table) => {
    const made = times.get(table.name) ?? table.made
    if (table.server === null || table.server === table.present) {
      return made !== table.made
    }
    const noted = `${table.server} ${table.made}`
    const seen = first.get(table.name)
    if (seen?.noted === noted) return seen.made !== made
    first.set(table.name, { noted, made })
    return false
  }).map(({ name }) => name)
}

const watched = ["event", ...trackedTables]

/** Names a faulty trigger, as `guest_insert on guest`. */
export function describeFault({ trigger: { name, table }, fault }: TriggerFault): string {
  return fault === "different" ? `${name} on ${table} (it is not the same)` : `${name} on ${table}`
}
