import { randomUUID } from "node:crypto"
import { sql } from "kysely"
import { bigEvent } from "../../config/demo/events.ts"
import { guestRows } from "../../config/demo/guests.ts"
import { insertRows, type Rows } from "../../config/demo/insert-rows.ts"
import { itemRows } from "../../config/demo/items.ts"
import { sceneOf } from "../../config/demo/scene.ts"
import { categories } from "../../core/records/categories.ts"
import type { Database } from "../../core/data/database.ts"
import { Builder } from "../support/builder.ts"

/** What the servers are asked for: the ids of three events. */
export interface BenchData {
  /** 100,000 guests. */
  readonly large: string
  /** 20,000 guests. */
  readonly middle: string
  /** 1,300 items of each category. */
  readonly bazaar: string
  /** No record was changed later than this, in Unix seconds. */
  readonly newest: number
}

/** An event of the data. */
export type EventName = Exclude<keyof BenchData, "newest">

/** The guests of the two events that have any. */
export const guestCounts = { large: 100_000, middle: 20_000 } as const

/** The service user of the customer, and a partner's account. */
export const usernames = { full: "acme-export", lean: "partner" } as const

const itemsEach = 1300
const guestsABatch = 5000
const newest = 1_750_000_000

/**
 * Fills a migrated database with events, guests as the demonstration has them, items and accounts;
 * events that are not wanted stay empty.
 */
export async function fill(
  database: Database,
  wanted: ReadonlySet<EventName>,
): Promise<BenchData> {
  const build = new Builder(database)
  const organization = await build.organization("acme")
  // The default configuration speaks of another customer, too.
  await build.organization("borealis")
  await build.account("borealis-export", "service")
  await build.account(usernames.full, "service")
  await build.account(usernames.lean)
  for (const name of Object.values(usernames)) await build.grant(name, { organization: "acme" })
  const large = await build.event(organization, { name: "Large" })
  const middle = await build.event(organization, { name: "Middle" })
  const bazaar = await build.event(organization, { name: "Bazaar" })
  const batches = [
    ...wanted.has("large") ? guestBatches(large, guestCounts.large) : [],
    ...wanted.has("middle") ? guestBatches(middle, guestCounts.middle) : [],
    ...wanted.has("bazaar") ? [() => itemsOf(bazaar)] : [],
  ]
  for (const make of batches) {
    await insertRows(database.writer, database.dialect.name, [make()])
  }
  await analyze(database)
  return { large, middle, bazaar, newest }
}

/**
 * Guests of one event, the first the newest, two in a second: a sample of the demonstration's over
 * and over, under ids of their own.
 */
function guestBatches(event: string, count: number): (() => Rows)[] {
  const { guest = [], ...joined } = guestRows(sceneOf({ ...bigEvent, guests: 2000 }))
  const consents = Map.groupBy(joined.consent ?? [], (row) => row.guest_id)
  const addresses = Map.groupBy(joined.address ?? [], (row) => row.guest_id)
  const copies = (
    row: (typeof guest)[number],
    index: number,
  ): Required<Omit<Rows, OtherTables>> => {
    const own = { event_id: event, guest_id: randomUUID() }
    const updated = newest - Math.floor(index / 2)
    return {
      consent: (consents.get(row.id) ?? []).map((consent) => ({ ...consent, ...own })),
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
  return Array.from({ length: count / guestsABatch }, (_, batch) => () => {
    const made = Array.from({ length: guestsABatch }, (_, place) => {
      const index = batch * guestsABatch + place
      return copies(guest[index % guest.length] as (typeof guest)[number], index)
    })
    return {
      consent: made.flatMap(({ consent }) => consent),
      address: made.flatMap(({ address }) => address),
      guest: made.flatMap(({ guest }) => guest),
    }
  })
}

type OtherTables = Exclude<keyof Rows, "consent" | "address" | "guest">

function itemsOf(event: string): Rows {
  const items = {
    buy_now_item: itemsEach,
    auction_item: itemsEach,
    pledge: itemsEach,
    raffle: itemsEach,
    gli_raffle: itemsEach,
    ticket: itemsEach,
  }
  const row = { ...bigEvent.row, id: event }
  return itemRows(sceneOf({ ...bigEvent, row, items }))
}

/** Planners choose by the tables' statistics, which lag behind a fill like this one. */
async function analyze({ writer }: Database): Promise<void> {
  const tables = ["consent", "address", "change_log", ...Object.values(categories)]
  await sql`analyze table ${sql.join(tables.map((table) => sql.table(table)))}`.execute(writer)
}
