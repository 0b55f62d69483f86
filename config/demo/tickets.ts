import type { Insertable } from "kysely"
import type { Schema } from "../../core/data/schema.ts"
import { itemRow, taxRate } from "./item.ts"
import type { Scene } from "./scene.ts"

/** Makes a ticket type: first the general ones, then one per seat of each table. */
export function ticket(scene: Scene, index: number): Insertable<Schema["ticket"]> {
  const { description, categories, ...kind } = kinds[index] ?? seat(index - kinds.length)
  const { name, price, capacity, admits } = kind
  return {
    ...itemRow(scene, { name, description, categories, stream: "TICKET", index }),
    price,
    capacity,
    admits,
    tax_rate: taxRate(scene),
  }
}

interface Kind {
  readonly name: string
  readonly description: string
  readonly categories: readonly string[]
  /** Minor units. */
  readonly price: number
  /** Null means unlimited. */
  readonly capacity: number | null
  /** People per ticket. */
  readonly admits: number
}

const kinds: readonly Kind[] = [
  kind("General admission", { price: 9500, capacity: null, admits: 1 }),
  kind("Table of ten", { price: 150000, capacity: 20, admits: 10 }),
  kind("Champagne reception, for two", { price: 24000, capacity: 60, admits: 2 }),
  kind("Volunteer", { price: 0, capacity: null, admits: 1 }),
]

function kind(name: string, sale: Pick<Kind, "price" | "capacity" | "admits">): Kind {
  return { name, description: "Doors open half an hour before.", categories: [], ...sale }
}

function seat(index: number): Kind {
  const table = Math.floor(index / 10) + 1
  return {
    name: `Table ${table}, seat ${(index % 10) + 1}`,
    description: "Three courses with wine.",
    categories: table <= 20 ? ["Seated", "Front row"] : ["Seated"],
    price: table <= 20 ? 25000 : 17500,
    capacity: 1,
    admits: 1,
  }
}
