import { amountOf, makeProduct, type Product, taxRate } from "./item.ts"
import type { Scene } from "./scene.ts"

/** Makes a ticket type: first the general ones, then one per seat of each table. */
export function ticket(scene: Scene, index: number): Product {
  const { description, categories, ...kind } = kinds[index] ?? seat(index - kinds.length)
  const { name, price, stock, seats } = kind
  const columns = { price: amountOf(price), stock, seats, vat: taxRate(scene) }
  const type = "ticket"
  return makeProduct(scene, {
    ...{ type, stream: "TICKET", name, description, categories, index, columns },
  })
}

interface Kind {
  readonly name: string
  readonly description: string
  readonly categories: readonly string[]
  readonly price: number
  /** Null means unlimited. */
  readonly stock: number | null
  /** People per ticket. */
  readonly seats: number
}

const kinds: readonly Kind[] = [
  kind("General admission", { price: 95, stock: null, seats: 1 }),
  kind("Table of ten", { price: 1500, stock: 20, seats: 10 }),
  kind("Champagne reception, for two", { price: 240, stock: 60, seats: 2 }),
  kind("Volunteer", { price: 0, stock: null, seats: 1 }),
]

function kind(name: string, sale: Pick<Kind, "price" | "stock" | "seats">): Kind {
  return { name, description: "Doors open half an hour before.", categories: [], ...sale }
}

function seat(index: number): Kind {
  const table = Math.floor(index / 10) + 1
  return {
    name: `Table ${table}, seat ${(index % 10) + 1}`,
    description: "Three courses with wine.",
    categories: table <= 20 ? ["Seated", "Front row"] : ["Seated"],
    price: table <= 20 ? 250 : 175,
    stock: 1,
    seats: 1,
  }
}
