import * as v from "valibot"
import {
  decimal,
  formatted,
  integer,
  list,
  nullable,
  recordType,
  searched,
  seconds,
  text,
} from "./fields.ts"
import { type Projection, whole } from "./projection.ts"
import { created, eventId, externalId, givenName, recordId, updated } from "./common.ts"

/** Bought immediately at a fixed price. */
export const buyNowItem = recordType({ name: "BuyNowItem", table: "buy_now_item" }, {
  ...item({ number: 1, id: "10c5e7a1-6f0b-4c39-8a44-3d2e1f0b5c61", name: "Weekend by the sea" }),
  price: integer("In minor units of the event's currency.", 45000),
  quantity: nullable(integer("How many there are; null means no limit.", 3)),
  taxRate: taxRate(20),
  estimate: estimate(60000),
})

/** A lot that guests bid on. */
export const auctionItem = recordType({ name: "AuctionItem", table: "auction_item" }, {
  ...item({ number: 2, id: "21d6f8b2-7a1c-4d4a-9b55-4e3f2a1c6d72", name: "Balloon ride" }),
  lotNumber: integer("Its number in the auction.", 7),
  startPrice: integer(
    "The price at which bidding starts, in minor units of the event's currency.",
    10000,
  ),
  increments: list("Steps of bids, each from a price upwards; both in minor units.", {
    of: v.strictObject({
      from: v.pipe(v.number(), v.safeInteger()),
      step: v.pipe(v.number(), v.safeInteger()),
    }),
    example: [{ from: 0, step: 500 }],
  }),
  estimate: estimate(40000),
  taxRate: taxRate(null),
  closes: nullable(
    seconds("When bidding ends, in Unix seconds; null if that is not fixed.", 1792886400),
  ),
})

/** A donation ask. */
export const pledge = recordType({ name: "Pledge", table: "pledge" }, {
  ...item({ number: 3, id: "32e7a9c3-8b2d-4e5b-8c66-5f4a3b2d7e83", name: "A bench in the garden" }),
  amount: nullable(
    integer("In minor units of the event's currency; null lets the guest choose.", 25000),
  ),
})

/** A ticketed prize draw. */
export const raffle = recordType({ name: "Raffle", table: "raffle" }, {
  ...item({ number: 4, id: "43f8bad4-9c3e-4f6c-9d77-6a5b4c3e8f94", name: "Winter draw" }),
  ...draw({ ticketPrice: 500, maxTickets: 2000, draws: 1792884600 }),
})

/** A raffle under a licence. */
export const gliRaffle = recordType({ name: "GliRaffle", table: "gli_raffle" }, {
  ...item({ number: 5, id: "5409cbe5-ad4f-4a7d-8e88-7b6c5d4f9aa5", name: "Grand raffle" }),
  ...draw({ ticketPrice: 1000, maxTickets: null, draws: 1792886400 }),
  licenceNumber: text("The number of the licence.", "GLI-1234"),
  regulator: text("The authority that granted the licence.", "Gambling Commission"),
})

/** A type of entry ticket. */
export const ticket = recordType({ name: "Ticket", table: "ticket" }, {
  ...item({ number: 6, id: "651adcf6-be5a-4b8e-9f99-8c7d6e5aabb6", name: "Table of ten" }),
  price: integer("In minor units of the event's currency.", 250000),
  capacity: nullable(integer("How many are sold at most; null means no limit.", 12)),
  admits: integer("How many people a ticket lets in.", 10),
  taxRate: taxRate(null),
})

/** The categories of items: what each array of the bundle holds, in the order in which the bundle is written. */
export const itemKinds = {
  buyNows: buyNowItem,
  auctionItems: auctionItem,
  pledges: pledge,
  prizeDraws: raffle,
  gliRaffles: gliRaffle,
  tickets: ticket,
} as const

/** A category of items, by the name that partners see. */
export type ItemCategory = keyof typeof itemKinds

/** The categories of items, in the order of the bundle. */
export const itemCategories = Object.keys(itemKinds) as readonly ItemCategory[]

/** A projection per category. */
export type ItemsProjection = {
  readonly [C in ItemCategory]: Projection<(typeof itemKinds)[C]["name"]>
}

/** Items with all their fields, those that are added later included. */
export const wholeItems = Object.fromEntries(
  Object.entries(itemKinds).map(([category, record]) => [category, whole(record)]),
) as unknown as ItemsProjection

/** The fields of every item. `number` makes the examples differ. */
function item({ number, id, name }: { number: number; id: string; name: string }) {
  return {
    id: recordId(id),
    eventId,
    name: searched(givenName(name)),
    status: formatted("A word of the organizer's platform. The set is not closed.", "active"),
    created: created(1790000000),
    updated: updated(1790000000 + number),
    revenueStreamType: text("The organizer's category of revenue.", "donation"),
    externalId: searched(nullable(externalId("sku-0042"))),
    categories: list("The organizer's own categories.", { of: v.string(), example: ["travel"] }),
    irsSubcategory: nullable(
      text("The subcategory for the tax authority of the United States.", null),
    ),
    description: searched(
      nullable(text("A description for guests.", "Two nights for two, breakfast included")),
    ),
    termsDescription: nullable(text("The terms that apply to it.", "Within a year")),
  }
}

/** The fields of both kinds of raffle. */
function draw(example: { ticketPrice: number; maxTickets: number | null; draws: number }) {
  return {
    ticketPrice: integer("In minor units of the event's currency.", example.ticketPrice),
    maxTickets: nullable(
      integer("How many tickets there are; null means no limit.", example.maxTickets),
    ),
    draws: nullable(
      seconds("When the draw is, in Unix seconds; null if that is not fixed.", example.draws),
    ),
  }
}

function taxRate(example: number | null) {
  return nullable(decimal("Percent, with up to three decimals.", example))
}

function estimate(example: number) {
  return nullable(
    integer("The estimated value, in minor units of the event's currency.", example),
  )
}
