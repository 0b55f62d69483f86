import { amountOf, makeProduct, price, type Product } from "./item.ts"
import { timeOf } from "./platform.ts"
import { choosePrize } from "./prizes.ts"
import type { Scene } from "./scene.ts"

/** Makes a prize draw. Each four in a row have both limits, either one, and none. */
export function raffle(scene: Scene, index: number): Product {
  return draw(scene, { index, type: "raffle", stream: "RAFFLE", title: "Prize draw" })
}

/** Makes a raffle with a licence. */
export function licensedRaffle(scene: Scene, index: number): Product {
  const { event: { regulator }, random } = scene
  const licence = `GLI-2026-${random.digits("######")}`
  const kind = { type: "licensed raffle", stream: "GLI_RAFFLE", title: "Licensed raffle" } as const
  return { ...draw(scene, { index, ...kind }), licence, regulator }
}

function draw(
  scene: Scene,
  { index, type, stream, title }: {
    readonly index: number
    readonly type: "raffle" | "licensed raffle"
    readonly stream: string
    readonly title: string
  },
): Product {
  const { name, ...prize } = choosePrize(scene)
  const limited = index % 2 === 0
  const timed = index % 4 < 2
  const columns = {
    price: amountOf(price(scene, { from: 2, to: 25, step: 1 })),
    stock: limited ? scene.random.between(1, 20) * 100 : null,
    ends_at: timed ? timeOf(scene.event.ends - 30 * 60) : null,
  }
  return makeProduct(scene, { name: `${title}: ${name}`, ...prize, type, stream, index, columns })
}
