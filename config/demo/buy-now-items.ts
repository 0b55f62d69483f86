import type { Insertable } from "kysely"
import type { Schema } from "../../core/data/schema.ts"
import { itemRow, price, taxRate } from "./item.ts"
import { choosePrize } from "./prizes.ts"
import { maybe, type Scene } from "./scene.ts"

/** Makes an item with a fixed price, in a limited or unlimited quantity. */
export function buyNowItem(scene: Scene, index: number): Insertable<Schema["buy_now_item"]> {
  const fixed = price(scene, { from: 1500, to: 40000, step: 500 })
  return {
    ...itemRow(scene, { ...choosePrize(scene), stream: "BUY_NOW", index }),
    price: fixed,
    quantity: maybe(scene, 0.6, () => scene.random.between(1, 50)),
    tax_rate: taxRate(scene),
    estimate: maybe(scene, 0.5, () => fixed + price(scene, { from: 0, to: 10000, step: 500 })),
  }
}
