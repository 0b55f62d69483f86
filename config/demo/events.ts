import type { Insertable } from "kysely"
import type { Schema } from "../../core/data/schema.ts"
import { utc, weeksBefore } from "./clock.ts"
import { acme, borealis } from "./organizations.ts"

/** The number of items per category, by table. */
export interface ItemCounts {
  readonly buy_now_item: number
  readonly auction_item: number
  readonly pledge: number
  readonly raffle: number
  readonly gli_raffle: number
  readonly ticket: number
}

/** An event, and the plan for its generated records. */
export interface EventPlan {
  readonly row: Insertable<Schema["event"]> & { readonly id: string; readonly created: number }
  /** Seeds the random source that generates the event's records. */
  readonly seed: number
  readonly guests: number
  /** The number of guests that were last changed before the default of `since`. */
  readonly regulars: number
  /** Country code of most guests' addresses. */
  readonly home: string
  readonly items: ItemCounts
  /** Percentages. */
  readonly taxRates: readonly number[]
  readonly regulator: string
}

/** The event with more guests and tickets than fit on a page. */
export const bigEvent: EventPlan = {
  row: {
    id: "91fa3e25-8587-44b1-a2dc-4dbe423dd19f",
    organization_id: acme.id,
    external_id: "GALA-2026",
    name: "Acme Autumn Gala",
    status: "running",
    currency: "GBP",
    timezone: "Europe/London",
    starts: utc("2026-10-31T18:30:00Z"),
    ends: utc("2026-11-01T01:00:00Z"),
    created: weeksBefore(16),
    updated: weeksBefore(1),
  },
  seed: 1,
  guests: 2600,
  regulars: 0,
  home: "GB",
  items: {
    buy_now_item: 24,
    auction_item: 40,
    pledge: 9,
    raffle: 8,
    gli_raffle: 8,
    ticket: 1300,
  },
  taxRates: [20, 17.5],
  regulator: "Gambling Commission",
}

/** The event with guests that have been on the list for years. */
const dinner: EventPlan = {
  row: {
    id: "09fe9e3e-4e65-4aaa-b97e-b6bf062ebb91",
    organization_id: acme.id,
    external_id: null,
    name: "Founders’ Dinner",
    status: "closed",
    currency: "USD",
    timezone: "America/New_York",
    starts: utc("2026-09-18T22:00:00Z"),
    ends: utc("2026-09-19T03:00:00Z"),
    created: weeksBefore(14),
    updated: weeksBefore(6),
  },
  seed: 2,
  guests: 180,
  regulars: 6,
  home: "US",
  items: { buy_now_item: 5, auction_item: 12, pledge: 4, raffle: 2, gli_raffle: 1, ticket: 6 },
  taxRates: [8.875, 4],
  regulator: "New York State Gaming Commission",
}

/** The upcoming event of the other organization. */
export const lights: EventPlan = {
  row: {
    id: "ed357f27-cc97-4a42-a4a4-32d29daad2f1",
    organization_id: borealis.id,
    external_id: "NLG-26",
    name: "Northern Lights Gala · Gala des aurores boréales",
    status: "upcoming",
    currency: "CAD",
    timezone: "America/Toronto",
    starts: utc("2026-11-21T23:00:00Z"),
    ends: utc("2026-11-22T05:00:00Z"),
    created: weeksBefore(10),
    updated: weeksBefore(2),
  },
  seed: 3,
  guests: 64,
  regulars: 0,
  home: "CA",
  items: { buy_now_item: 4, auction_item: 6, pledge: 3, raffle: 2, gli_raffle: 2, ticket: 3 },
  taxRates: [13, 5],
  regulator: "Alcohol and Gaming Commission of Ontario",
}

/** The event without items. */
const ball: EventPlan = {
  row: {
    id: "cc8e1216-fb5d-42d8-85af-24edbf2241cf",
    organization_id: borealis.id,
    external_id: null,
    name: "Helsinki Winter Ball · Helsingin talvitanssiaiset",
    status: "upcoming",
    currency: "EUR",
    timezone: "Europe/Helsinki",
    starts: utc("2026-12-05T16:00:00Z"),
    ends: utc("2026-12-05T22:00:00Z"),
    created: weeksBefore(4),
    updated: weeksBefore(4),
  },
  seed: 4,
  guests: 24,
  regulars: 0,
  home: "FI",
  items: { buy_now_item: 0, auction_item: 0, pledge: 0, raffle: 0, gli_raffle: 0, ticket: 0 },
  taxRates: [25.5],
  regulator: "Poliisihallitus",
}

/** The four events of the demonstration, the big one first. */
export const events: readonly EventPlan[] = [bigEvent, dinner, lights, ball]
