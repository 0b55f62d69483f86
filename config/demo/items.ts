import { auctionItem } from "./auction-items.ts"
import { buyNowItem } from "./buy-now-items.ts"
import type { Product } from "./item.ts"
import type { ProductType, Rows } from "./platform.ts"
import { pledge } from "./pledges.ts"
import { licensedRaffle, raffle } from "./raffles.ts"
import type { Scene } from "./scene.ts"
import { ticket } from "./tickets.ts"

const makers: Readonly<Record<ProductType, (scene: Scene, index: number) => Product>> = {
  shop: buyNowItem,
  auction: auctionItem,
  donation: pledge,
  raffle,
  "licensed raffle": licensedRaffle,
  ticket,
}

/** Makes the items of an event. */
export function itemRows(scene: Scene): Rows {
  const { row, items } = scene.event
  const first = 10_000 * row.id + 1
  const all = Object.entries(makers).flatMap(([type, make]) =>
    Array.from({ length: items[type as ProductType] }, (_, index) => make(scene, index))
  )
  return { product: all.map((product, index) => ({ id: first + index, ...product })) }
}
