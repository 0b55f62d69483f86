import { amountOf, makeProduct, type Product } from "./item.ts"
import type { Scene } from "./scene.ts"

/** Makes a request for a donation. Every third leaves the amount to the donor. */
export function pledge(scene: Scene, index: number): Product {
  const { amount, name, description } = appeals[index % appeals.length] ?? open
  const categories = index % 2 === 0 ? ["Appeal"] : []
  const columns = { price: amount === null ? null : amountOf(amount) }
  const kind = { type: "donation", stream: "DONATION" } as const
  return makeProduct(scene, { ...kind, name, description, categories, index, columns })
}

interface Appeal {
  /** Null leaves the amount to the donor. */
  readonly amount: number | null
  readonly name: string
  readonly description: string
}

const open: Appeal = { amount: null, name: "Give what you like", description: "Every gift counts." }

const appeals: readonly Appeal[] = [
  open,
  { amount: 25, name: "A warm coat", description: "For one child, for one winter." },
  { amount: 100, name: "A month of lessons", description: "Books and a teacher." },
  { amount: null, name: "Raise your paddle", description: "In the room, at the end of the night." },
  { amount: 500, name: "A survival suit", description: "For one volunteer." },
  { amount: 2500, name: "A school’s kitchen", description: "Hot meals for a hundred." },
]
