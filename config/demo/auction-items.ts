import { amountOf, makeProduct, price, type Product, taxRate } from "./item.ts"
import { timeOf } from "./platform.ts"
import { choosePrize } from "./prizes.ts"
import { maybe, type Scene } from "./scene.ts"

/** Makes an auction lot. A silent lot has a closing time; a live lot ends with the auctioneer's hammer. */
export function auctionItem(scene: Scene, index: number): Product {
  const startPrice = price(scene, { from: 20, to: 1000, step: 10 })
  const columns = {
    lot: index + 1,
    price: amountOf(startPrice),
    bid_steps: JSON.stringify(scene.random.pick(ladders)),
    estimate: maybe(scene, 0.7, () => amountOf(startPrice * 3)),
    vat: taxRate(scene),
    ends_at: maybe(scene, 0.7, () => timeOf(scene.event.ends - (index % 3) * 15 * 60)),
  }
  const prize = choosePrize(scene)
  return makeProduct(scene, { ...prize, type: "auction", stream: "AUCTION", index, columns })
}

/** Bid increments: from the price `from` on, a bid must rise by `step`. */
const ladders = [
  [],
  [{ from: 0, step: 10 }],
  [{ from: 0, step: 5 }, { from: 100, step: 10 }, { from: 500, step: 50 }],
  [{ from: 0, step: 25 }, { from: 1000, step: 100 }],
]
