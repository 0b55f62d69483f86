import { event } from "./event.ts"
import { guest } from "./guest.ts"
import {
  auctionItem,
  buyNowItem,
  gliRaffle,
  type ItemsProjection,
  pledge,
  raffle,
  ticket,
} from "./items.ts"
import { pick } from "./projection.ts"

/** Guests without the fields that only the customer's own systems need. */
export const leanGuest = pick(guest, [
  "id",
  "eventId",
  "firstName",
  "lastName",
  "email",
  "mobile",
  "mainAddress",
  "giftAidAddress",
  "taxReceiptAidAddress",
  "created",
  "updated",
  "consentAsked",
  "consentStatus",
  "consentChannels",
])

/** Events without the customer's own id. */
export const leanEvent = pick(event, [
  "id",
  "name",
  "status",
  "currency",
  "timezone",
  "starts",
  "ends",
  "created",
  "updated",
  "changed",
])

const common = ["id", "eventId", "name", "status", "created", "updated"] as const
const draw = ["ticketPrice", "maxTickets", "draws"] as const

/** Items without descriptive and fiscal fields: only what a partner's data model stores. */
export const leanItems: ItemsProjection = {
  buyNows: pick(buyNowItem, [...common, "price", "quantity"]),
  auctionItems: pick(auctionItem, [...common, "lotNumber", "closes"]),
  pledges: pick(pledge, [...common, "amount"]),
  prizeDraws: pick(raffle, [...common, ...draw]),
  gliRaffles: pick(gliRaffle, [...common, ...draw, "licenceNumber", "regulator"]),
  tickets: pick(ticket, [...common, "price", "capacity", "admits"]),
}
