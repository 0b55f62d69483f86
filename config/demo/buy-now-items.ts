import { amountOf, makeProduct, price, type Product, taxRate } from "./item.ts"
import { choosePrize } from "./prizes.ts"
import { maybe, type Scene } from "./scene.ts"

/** Makes an item with a fixed price, in a limited or unlimited quantity. */
export function buyNowItem(scene: Scene, index: number): Product {
  const fixed = price(scene, { from: 15, to: 400, step: 5 }) - 0.05
  const columns = {
    price: amountOf(fixed),
    stock: maybe(scene, 0.6, () => scene.random.between(1, 50)),
    vat: taxRate(scene),
    estimate: maybe(
      scene,
      0.5,
      () => amountOf(fixed + price(scene, { from: 0, to: 100, step: 5 })),
    ),
  }
  const prize = choosePrize(scene)
  return makeProduct(scene, { ...prize, type: "shop", stream: "BUY_NOW", index, columns })
}
