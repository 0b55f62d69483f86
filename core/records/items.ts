import * as v from "valibot"
import type { Category } from "./categories.ts"
import { decimal, type Fields, integer, json, nullable, searched, text, uuid } from "./fields.ts"
import { pageOfRecords } from "./newest.ts"
import { recordsBefore } from "./stable-offset.ts"
import { cutPage, type Position } from "./page.ts"
import { listRecords, type Projection, recordType, rowsFor } from "./projection.ts"
import { recordParameters, type Resource } from "./resource.ts"

/** What every item has, whatever its category. */
const common = {
  id: uuid("record.id"),
  eventId: uuid("record.event_id"),
  name: searched(text("record.name")),
  status: text("record.status"),
  created: integer("record.created"),
  updated: integer("record.updated"),
  revenueStreamType: text("record.revenue_stream_type"),
  externalId: searched(nullable(text("record.external_id"))),
  categories: json("record.categories", v.array(v.string())),
  irsSubcategory: nullable(text("record.irs_subcategory")),
  description: searched(nullable(text("record.description"))),
  termsDescription: nullable(text("record.terms_description")),
} satisfies Fields

const taxRate = nullable(decimal("record.tax_rate"))
const estimate = nullable(integer("record.estimate"))

/** Bought immediately at a fixed price; a null `quantity` is unlimited. */
export const buyNowItem = recordType("BuyNowItem", {
  ...common,
  price: integer("record.price"),
  quantity: nullable(integer("record.quantity")),
  taxRate,
  estimate,
})

/** A lot that guests bid on; each increment holds from a price upwards. */
export const auctionItem = recordType("AuctionItem", {
  ...common,
  lotNumber: integer("record.lot_number"),
  startPrice: integer("record.start_price"),
  increments: json(
    "record.increments",
    v.array(
      v.strictObject({
        from: v.pipe(v.number(), v.integer()),
        step: v.pipe(v.number(), v.integer()),
      }),
    ),
  ),
  estimate,
  taxRate,
  closes: nullable(integer("record.closes")),
})

/** A donation ask; a null `amount` is open. */
export const pledge = recordType("Pledge", {
  ...common,
  amount: nullable(integer("record.amount")),
})

const draw = {
  ticketPrice: integer("record.ticket_price"),
  maxTickets: nullable(integer("record.max_tickets")),
  draws: nullable(integer("record.draws")),
} satisfies Fields

/** A ticketed prize draw. */
export const raffle = recordType("Raffle", { ...common, ...draw })

/** A raffle under a licence. */
export const gliRaffle = recordType("GliRaffle", {
  ...common,
  ...draw,
  licenceNumber: text("record.licence_number"),
  regulator: text("record.regulator"),
})

/** A type of entry ticket; a null `capacity` is unlimited, `admits` is people a ticket. */
export const ticket = recordType("Ticket", {
  ...common,
  price: integer("record.price"),
  capacity: nullable(integer("record.capacity")),
  admits: integer("record.admits"),
  taxRate,
})

/** One projection a category, in the order of the bundle. */
export interface ItemsProjection {
  readonly buyNows: Projection<"BuyNowItem">
  readonly auctionItems: Projection<"AuctionItem">
  readonly pledges: Projection<"Pledge">
  readonly prizeDraws: Projection<"Raffle">
  readonly gliRaffles: Projection<"GliRaffle">
  readonly tickets: Projection<"Ticket">
}

/** The categories of the bundle, in the order in which it is written. */
export const itemCategories = [
  "buyNows",
  "auctionItems",
  "pledges",
  "prizeDraws",
  "gliRaffles",
  "tickets",
] as const satisfies readonly Category[]

/** The items of an event: a bundle of six arrays, each with its own page of one category. */
export const items: Resource<ItemsProjection> = {
  name: "items",
  summary: "The items of an event in six arrays, each newest first and paged by itself.",
  scope: "event",
  parameters: recordParameters,
  categories: itemCategories,
  emptyBody: Object.fromEntries(itemCategories.map((category) => [category, []])),
  bundle: true,
  async list(snapshot, { eventId }, page, projections) {
    const listings = itemCategories.map((category) => (
      { category, eventId, page, searched: projections[category].searched }
    ))
    const before = await recordsBefore(snapshot, listings)
    const body: Record<string, unknown> = {}
    const next: Record<string, Position> = {}
    for (const listing of listings) {
      const { category } = listing
      body[category] = []
      const position = page.after?.[category]
      if (page.after && !position) continue
      const offset = before[category] ?? page.offset
      const projection: Projection = projections[category]
      const { columns } = projection
      const query = pageOfRecords(snapshot, listing, { position, offset, columns })
      const found = await rowsFor(projection, snapshot, query)
      const cut = cutPage(found, page.limit)
      body[category] = listRecords(projection, cut.rows.map((record) => ({ record })))
      if (cut.next) next[category] = cut.next
    }
    return { body, next }
  },
}
