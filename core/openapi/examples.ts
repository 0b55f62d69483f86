import { digestOf } from "../records/digest.ts"
import { itemCategories, type ItemsProjection } from "../records/items.ts"
import type { Projection } from "../records/projection.ts"
import type { Json } from "./schemas.ts"

/** The event of the examples. */
export const exampleEventId = "3b1f7f0e-4c6a-4d0b-9a52-6f0d1c2b3a49"

/** The request id of the examples. */
export const exampleRequestId = "b7c1f0de-58a6-4f0c-9d3e-2a41c6f5e810"

const item = {
  eventId: exampleEventId,
  status: "active",
  created: 1790000000,
  revenueStreamType: "donation",
  externalId: "sku-0042",
  categories: ["travel"],
  irsSubcategory: null,
  description: "Two nights for two, breakfast included",
  termsDescription: "Within a year",
}

/** A record of each kind with all its fields, as the service answers it where nothing is left out. */
export const exampleRecords = {
  Event: {
    id: exampleEventId,
    name: "Autumn Gala",
    status: "running",
    currency: "GBP",
    timezone: "Europe/London",
    starts: 1792866600,
    ends: 1792890000,
    created: 1783000000,
    updated: 1790000000,
    externalId: "GALA-2026",
  },
  Guest: {
    id: "c2a9d3f4-1b8e-4f67-8d21-0e5a7b9c4d36",
    eventId: exampleEventId,
    firstName: "Ada",
    lastName: "Byron",
    email: "ada@example.org",
    mobile: "+44 20 7946 0018",
    mainAddress: {
      name: "Home",
      line1: "12 St James's Square",
      line2: null,
      line3: null,
      line4: null,
      town: "London",
      postcode: "SW1Y 4JH",
      state: null,
      country: "GB",
      recipient_name: "Ada Byron",
    },
    giftAidAddress: null,
    taxReceiptAidAddress: null,
    created: 1790000000,
    updated: 1790003600,
    consentAsked: true,
    consentStatus: "active",
    consentChannels: "email,post",
    externalId: "crm-1815",
    smsOptIn: false,
    companyName: null,
  },
  BuyNowItem: {
    ...{ id: "10c5e7a1-6f0b-4c39-8a44-3d2e1f0b5c61", ...item },
    ...{ name: "Weekend by the sea", updated: 1790000001 },
    ...{ price: 45000, quantity: 3, taxRate: 20, estimate: 60000 },
  },
  AuctionItem: {
    ...{ id: "21d6f8b2-7a1c-4d4a-9b55-4e3f2a1c6d72", ...item },
    ...{ name: "Balloon ride", updated: 1790000002 },
    ...{ lotNumber: 7, startPrice: 10000, increments: [{ from: 0, step: 500 }] },
    ...{ estimate: 40000, taxRate: null, closes: 1792886400 },
  },
  Pledge: {
    ...{ id: "32e7a9c3-8b2d-4e5b-8c66-5f4a3b2d7e83", ...item },
    ...{ name: "A bench in the garden", updated: 1790000003, amount: 25000 },
  },
  Raffle: {
    ...{ id: "43f8bad4-9c3e-4f6c-9d77-6a5b4c3e8f94", ...item },
    ...{ name: "Winter draw", updated: 1790000004 },
    ...{ ticketPrice: 500, maxTickets: 2000, draws: 1792884600 },
  },
  GliRaffle: {
    ...{ id: "5409cbe5-ad4f-4a7d-8e88-7b6c5d4f9aa5", ...item },
    ...{ name: "Grand raffle", updated: 1790000005 },
    ...{ ticketPrice: 1000, maxTickets: null, draws: 1792886400 },
    ...{ licenceNumber: "GLI-1234", regulator: "Gambling Commission" },
  },
  Ticket: {
    ...{ id: "651adcf6-be5a-4b8e-9f99-8c7d6e5aabb6", ...item },
    ...{ name: "Table of ten", updated: 1790000006 },
    ...{ price: 250000, capacity: 12, admits: 10, taxRate: null },
  },
  GuestDeletion: { id: "762bed07-cf6b-4c9f-8aaa-9d8e7f6bbcc7", deleted: 1790007200 },
  ItemDeletion: {
    id: "873cfe18-da7c-4daa-9bbb-ae9f8a7ccdd8",
    category: "tickets",
    deleted: 1790007200,
  },
} as const satisfies Record<string, Json>

/** The record of each array of the bundle of items. */
const itemRecords = {
  buyNows: "BuyNowItem",
  auctionItems: "AuctionItem",
  pledges: "Pledge",
  prizeDraws: "Raffle",
  gliRaffles: "GliRaffle",
  tickets: "Ticket",
} as const satisfies { [C in keyof ItemsProjection]: ItemsProjection[C]["record"] }

/** What digests of the records above are. */
export const exampleDigests: Json = {
  "guest digest": digestOf([lineOf("Guest")], 1),
  "item digest": Object.fromEntries(
    itemCategories.map((category) => [category, digestOf([lineOf(itemRecords[category])], 1)]),
  ),
}

/** The example of a record as a projection lets it through; undefined where that is not known. */
export function exampleOf({ record, fields, rewritten }: Projection): Json | undefined {
  const example: Json | undefined = exampleRecords[record as keyof typeof exampleRecords]
  if (!example || rewritten) return undefined
  return Object.fromEntries(fields.map((field) => [field, example[field]]))
}

function lineOf(record: "Guest" | (typeof itemRecords)[keyof typeof itemRecords]) {
  const { id, updated } = exampleRecords[record]
  return { id, time: updated }
}
