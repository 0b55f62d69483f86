import { auctionItem } from "./auction-items.ts"
import { buyNowItem } from "./buy-now-items.ts"
import type { Rows } from "./insert-rows.ts"
import { pledge } from "./pledges.ts"
import { gliRaffle, raffle } from "./raffles.ts"
import type { Scene } from "./scene.ts"
import { ticket } from "./tickets.ts"

/** Makes the items of an event, by category. */
export function itemRows(scene: Scene): Rows {
  const { items } = scene.event
  const make = <Row>(count: number, row: (scene: Scene, index: number) => Row) =>
    Array.from({ length: count }, (_, index) => row(scene, index))
  return {
    buy_now_item: make(items.buy_now_item, buyNowItem),
    auction_item: make(items.auction_item, auctionItem),
    pledge: make(items.pledge, pledge),
    raffle: make(items.raffle, raffle),
    gli_raffle: make(items.gli_raffle, gliRaffle),
    ticket: make(items.ticket, ticket),
  }
}
