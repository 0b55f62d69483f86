import { randomUUID } from "node:crypto"
import { sql } from "kysely"
import { bigEvent } from "../../config/demo/events.ts"
import { guestRows } from "../../config/demo/guests.ts"
import { itemRows } from "../../config/demo/items.ts"
import { organizations } from "../../config/demo/organizations.ts"
import type { Rows as PlatformRows } from "../../config/demo/platform.ts"
import { sceneOf } from "../../config/demo/scene.ts"
import { categories } from "../../core/records/kinds/categories.ts"
import type { Database } from "../../core/data/database.ts"
import { Builder, withHistory } from "../support/builder.ts"
import { recordsOf } from "../support/demo-records.ts"
import { insertRows, type Rows } from "../support/insert-rows.ts"

/** The ids of the events in the database. */
export interface BenchData {
  /** 100,000 guests. */
  readonly large: string
  /** 20,000 guests. */
  readonly middle: string
  /** 1,300 items of each category. */
  readonly bazaar: string
  /** A time after all changes of records, also those of the writer, in Unix seconds. */
  readonly newest: number
}

/** The name of an event. */
export type EventName = Exclude<keyof BenchData, "newest">

/** The number of guests, for the events that have guests. */
export const guestCounts = { large: 100_000, middle: 20_000 } as const

/** The names of the customer's service user and of a partner's account. */
export const usernames = { full: "acme-export", lean: "partner" } as const

const itemsEach = 1300
const guestsPerBatch = 5000
/** The time of the last change before the first of the writer, in Unix seconds. */
export const filledUntil = 1_750_000_000

/**
 * Fills a migrated database with events, guests like those of the demonstration, items and accounts.
 * Leaves events empty that are not in `names`. If `everybodyConsents`, then to e-mail.
 */
export async function fill(
  database: Database,
  names: ReadonlySet<EventName>,
  everybodyConsents = false,
): Promise<BenchData> {
  const build = new Builder(database)
  const organization = await build.organization("acme")
  // The default configuration names another customer, too.
  await build.organization("borealis")
  await build.account("borealis-export", "service")
  await build.account(usernames.full, "service")
  await build.account(usernames.lean)
  for (const user of Object.values(usernames)) await build.grant(user, { organization: "acme" })
  const events = {
    large: await build.event(organization, { name: "Large" }),
    middle: await build.event(organization, { name: "Middle" }),
    bazaar: await build.event(organization, { name: "Bazaar" }),
  }
  const batches = await Promise.all(
    [...names].map(async (name) =>
      name === "bazaar"
        ? [await itemsOf(events.bazaar)].map((items) => () => items)
        : await guestBatches(events[name], guestCounts[name], everybodyConsents)
    ),
  )
  for (const make of batches.flat()) {
    await withHistory(database, (db) => insertRows(db, database.dialect.name, [make()]))
  }
  await analyze(database)
  return { ...events, newest: filledUntil + 1_000_000 }
}

/**
 * Makes the guests of one event, newest first, two per second. Repeats a sample of the demonstration's
 * guests with new ids.
 */
async function guestBatches(
  event: string,
  count: number,
  everybodyConsents: boolean,
): Promise<(() => Rows)[]> {
  const { guest = [], ...joined } = await recordsOf([
    ofBigEvent,
    guestRows(sceneOf({ ...bigEvent, guests: 2000 })),
  ])
  const consents = Map.groupBy(joined.consent ?? [], (row) => row.guest_id)
  const consenting = { asked: 1, status: "active", channels: "email" }
  const addresses = Map.groupBy(joined.address ?? [], (row) => row.guest_id)
  const copies = (
    row: (typeof guest)[number],
    index: number,
  ): Required<Omit<Rows, OtherTables>> => {
    const own = { event_id: event, guest_id: randomUUID() }
    const updated = filledUntil - Math.floor(index / 2)
    return {
      consent: everybodyConsents
        ? [{ ...consenting, ...own }]
        : (consents.get(row.id) ?? []).map((consent) => ({ ...consent, ...own })),
      address: (addresses.get(row.id) ?? []).map((address) => ({ ...address, ...own })),
      guest: [{
        ...row,
        event_id: event,
        id: own.guest_id,
        email: `guest${index}.${row.email}`,
        external_id: `CRM-${index}`,
        created: updated - 86_400,
        updated,
      }],
    }
  }
  return Array.from({ length: Math.ceil(count / guestsPerBatch) }, (_, batch) => () => {
    const rows = Array.from({ length: Math.min(count, guestsPerBatch) }, (_, place) => {
      const index = batch * guestsPerBatch + place
      return copies(guest[index % guest.length] as (typeof guest)[number], index)
    })
    return {
      consent: rows.flatMap(({ consent }) => consent),
      address: rows.flatMap(({ address }) => address),
      guest: rows.flatMap(({ guest }) => guest),
    }
  })
}

/** What guests and items belong to on the platform. */
const ofBigEvent: PlatformRows = { charity: organizations, gala: [bigEvent.row] }

type OtherTables = Exclude<keyof Rows, "consent" | "address" | "guest">

/** Makes the items of one event. Those of the demonstration may be later, so all are as much earlier. */
async function itemsOf(event: string): Promise<Rows> {
  const items = {
    shop: itemsEach,
    auction: itemsEach,
    donation: itemsEach,
    raffle: itemsEach,
    "licensed raffle": itemsEach,
    ticket: itemsEach,
  }
  const made = await recordsOf([ofBigEvent, itemRows(sceneOf({ ...bigEvent, items }))])
  const tables = Object.entries(made)
  const latest = Math.max(...tables.flatMap(([, rows]) => rows.map(timeOf)))
  const earlier = <Row extends object>(each: Row) => ({
    ...each,
    event_id: event,
    created: timeOf(each) - latest + filledUntil,
    updated: timeOf(each) - latest + filledUntil,
  })
  return Object.fromEntries(tables.map(([table, rows]) => [table, rows.map(earlier)]))
}

function timeOf(row: object): number {
  return "created" in row ? Number(row.created) : NaN
}

/** Updates the tables' statistics, which query planners use and which lag after such a fill. */
async function analyze({ writer }: Database): Promise<void> {
  const tables = ["consent", "address", "event_change", ...Object.values(categories)]
  await sql`analyze table ${sql.join(tables.map((table) => sql.table(table)))}`.execute(writer)
}
