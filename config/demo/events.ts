import { utc, weeksBefore } from "./clock.ts"
import { acme, borealis } from "./organizations.ts"
import { type Platform, type ProductType, timeOf } from "./platform.ts"

/** An event, and the plan for its generated records. */
export interface EventPlan {
  readonly row: Platform["gala"]
  /** When its first records were made, and when it ends: Unix seconds. */
  readonly opened: number
  readonly ends: number
  /** Seeds the random source that generates the event's records. */
  readonly seed: number
  readonly guests: number
  /** Country code of most guests' addresses. */
  readonly home: string
  readonly items: Readonly<Record<ProductType, number>>
  /** Percentages. */
  readonly taxRates: readonly number[]
  readonly regulator: string
}

/** The event with more guests and tickets than fit on a page. */
export const bigEvent: EventPlan = {
  ...gala({
    id: 1,
    uuid: "91fa3e25-8587-44b1-a2dc-4dbe423dd19f",
    charity: acme,
    code: "GALA-2026",
    title: "Acme Autumn Gala",
    state: "running",
    currency: "GBP",
    zone: "Europe/London",
    starts: utc("2026-10-31T18:30:00Z"),
    ends: utc("2026-11-01T01:00:00Z"),
    opened: weeksBefore(16),
  }),
  seed: 1,
  guests: 2600,
  home: "GB",
  items: {
    shop: 24,
    auction: 40,
    donation: 9,
    raffle: 8,
    "licensed raffle": 8,
    ticket: 1300,
  },
  taxRates: [20, 17.5],
  regulator: "Gambling Commission",
}

/** The event that is over. */
const dinner: EventPlan = {
  ...gala({
    id: 2,
    uuid: "09fe9e3e-4e65-4aaa-b97e-b6bf062ebb91",
    charity: acme,
    code: null,
    title: "Founders’ Dinner",
    state: "closed",
    currency: "USD",
    zone: "America/New_York",
    starts: utc("2026-09-18T22:00:00Z"),
    ends: utc("2026-09-19T03:00:00Z"),
    opened: weeksBefore(14),
  }),
  seed: 2,
  guests: 180,
  home: "US",
  items: { shop: 5, auction: 12, donation: 4, raffle: 2, "licensed raffle": 1, ticket: 6 },
  taxRates: [8.875, 4],
  regulator: "New York State Gaming Commission",
}

/** The upcoming event of the other organization. */
export const lights: EventPlan = {
  ...gala({
    id: 3,
    uuid: "ed357f27-cc97-4a42-a4a4-32d29daad2f1",
    charity: borealis,
    code: "NLG-26",
    title: "Northern Lights Gala · Gala des aurores boréales",
    state: "upcoming",
    currency: "CAD",
    zone: "America/Toronto",
    starts: utc("2026-11-21T23:00:00Z"),
    ends: utc("2026-11-22T05:00:00Z"),
    opened: weeksBefore(10),
  }),
  seed: 3,
  guests: 64,
  home: "CA",
  items: { shop: 4, auction: 6, donation: 3, raffle: 2, "licensed raffle": 2, ticket: 3 },
  taxRates: [13, 5],
  regulator: "Alcohol and Gaming Commission of Ontario",
}

/** The event without items. */
const ball: EventPlan = {
  ...gala({
    id: 4,
    uuid: "cc8e1216-fb5d-42d8-85af-24edbf2241cf",
    charity: borealis,
    code: null,
    title: "Helsinki Winter Ball · Helsingin talvitanssiaiset",
    state: "upcoming",
    currency: "EUR",
    zone: "Europe/Helsinki",
    starts: utc("2026-12-05T16:00:00Z"),
    ends: utc("2026-12-05T22:00:00Z"),
    opened: weeksBefore(4),
  }),
  seed: 4,
  guests: 24,
  home: "FI",
  items: { shop: 0, auction: 0, donation: 0, raffle: 0, "licensed raffle": 0, ticket: 0 },
  taxRates: [25.5],
  regulator: "Poliisihallitus",
}

/** The four events of the demonstration, the big one first. */
export const events: readonly EventPlan[] = [bigEvent, dinner, lights, ball]

interface GalaPlan extends Omit<Platform["gala"], `${string}_at` | "charity_id"> {
  readonly charity: Platform["charity"]
  readonly starts: number
  readonly ends: number
  readonly opened: number
}

function gala({ charity, starts, ends, opened, ...gala }: GalaPlan) {
  const times = { opens_at: timeOf(starts), closes_at: timeOf(ends), created_at: timeOf(opened) }
  return { row: { ...gala, charity_id: charity.id, ...times }, opened, ends }
}
