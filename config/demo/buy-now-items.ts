import type { Insertable } from "kysely"
import type { BuyNowItemTable } from "../../core/data/schema.ts"
import { itemRow, price, taxRate } from "./item.ts"
import { choosePrize } from "./prizes.ts"
import { maybe, type Scene } from "./scene.ts"

/** Something at a fixed price, a few of them or as many as are wanted. */
export function buyNowItem(scene: Scene, index: number): Insertable<BuyNowItemTable> {
  const asked = price(scene, { from: 1500, to: 40000, step: 500 })
  return {
    ...itemRow(scene, { ...choosePrize(scene), stream: "BUY_NOW", index }),
    price: asked,
    quantity: maybe(scene, 0.6, () => scene.faker.number.int({ min: 1, max: 50 })),
    tax_rate: taxRate(scene),
    estimate: maybe(scene, 0.5, () => asked + price(scene, { from: 0, to: 10000, step: 500 })),
  }
}
