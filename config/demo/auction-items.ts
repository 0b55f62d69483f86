import type { Insertable } from "kysely"
import type { Schema } from "../../core/data/schema.ts"
import { itemRow, price, taxRate } from "./item.ts"
import { choosePrize } from "./prizes.ts"
import { maybe, type Scene } from "./scene.ts"

/** Makes an auction lot. A silent lot has a closing time; a live lot ends with the auctioneer's hammer. */
export function auctionItem(scene: Scene, index: number): Insertable<Schema["auction_item"]> {
  const startPrice = price(scene, { from: 2000, to: 100000, step: 1000 })
  return {
    ...itemRow(scene, { ...choosePrize(scene), stream: "AUCTION", index }),
    lot_number: index + 1,
    start_price: startPrice,
    increments: JSON.stringify(scene.random.pick(ladders)),
    estimate: maybe(scene, 0.7, () => startPrice * 3),
    tax_rate: taxRate(scene),
    closes: maybe(scene, 0.7, () => scene.event.row.ends - (index % 3) * 15 * 60),
  }
}

/** Bid increments: from the price `from` on, a bid must rise by `step`. Minor units. */
const ladders = [
  [],
  [{ from: 0, step: 1000 }],
  [{ from: 0, step: 500 }, { from: 10000, step: 1000 }, { from: 50000, step: 5000 }],
  [{ from: 0, step: 2500 }, { from: 100000, step: 10000 }],
]
