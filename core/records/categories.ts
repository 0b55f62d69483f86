/**
 * What partners call each kind of record, and the table it is in. The change log names records by
 * these categories.
 */
export const categories = {
  guests: "guest",
  buyNows: "buy_now_item",
  auctionItems: "auction_item",
  pledges: "pledge",
  prizeDraws: "raffle",
  gliRaffles: "gli_raffle",
  tickets: "ticket",
} as const

export type Category = keyof typeof categories
