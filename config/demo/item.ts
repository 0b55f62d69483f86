import { type Platform, type ProductType, timeOf } from "./platform.ts"
import type { Prize } from "./prizes.ts"
import { maybe, type Scene } from "./scene.ts"

/** A product that does not have its number yet. */
export type Product = Omit<Platform["product"], "id">

/** The values that differ per item, and the columns that matter for its type. */
export interface ItemPlan extends Omit<Prize, "description"> {
  readonly type: ProductType
  readonly description?: string
  /** The revenue stream, also the prefix of references. */
  readonly stream: string
  readonly index: number
  readonly columns: Partial<Product>
}

const states: Readonly<Record<string, readonly string[]>> = {
  upcoming: ["draft", "active"],
  running: ["active", "active", "active", "sold_out", "withdrawn"],
  closed: ["closed", "closed", "sold_out", "withdrawn"],
}

/** What a product does not have if its plan does not say so. */
const without = {
  price: null,
  estimate: null,
  vat: null,
  stock: null,
  seats: null,
  lot: null,
  bid_steps: null,
  ends_at: null,
  licence: null,
  regulator: null,
  deleted_at: null,
}

/** Makes a product. */
export function makeProduct(scene: Scene, plan: ItemPlan): Product {
  const { event, random, clock } = scene
  const { type, name, description, categories, stream, index, columns } = plan
  return {
    gala_id: event.row.id,
    type,
    title: name,
    state: itemState(scene),
    stream,
    reference: maybe(scene, 0.7, () => `${stream}-${index + 1}`),
    tags: categories.join(","),
    tax_class: maybe(scene, 0.4, () => random.pick(taxClasses)),
    blurb: description === undefined ? null : maybe(scene, 0.8, () => description),
    terms: maybe(scene, 0.5, () => random.pick(terms)),
    created_at: timeOf(clock()),
    ...without,
    ...columns,
  }
}

/** Returns a state that an item can have while the event has its own. */
export function itemState({ event, random }: Scene): string {
  return random.pick(states[event.row.state] ?? ["active"])
}

const taxClasses = ["Fully deductible", "Partly deductible", "Not deductible"]

const terms = [
  "Valid until 31 October 2027. Not for resale.",
  "By arrangement; some dates are excluded.",
  "No cash alternative. Over-18s only.\nCollection on the night.",
]

/** Returns a price, a multiple of `step`. */
export function price({ random }: Scene, { from, to, step }: PriceRange): number {
  return random.between(from / step, to / step) * step
}

/** A range of prices. Both ends are multiples of `step`. */
export interface PriceRange {
  readonly from: number
  readonly to: number
  readonly step: number
}

/** Writes an amount as the platform has it. */
export function amountOf(amount: number): string {
  return amount.toFixed(2)
}

/** Returns a tax rate of the event's country, or null. */
export function taxRate(scene: Scene): number | null {
  return maybe(scene, 0.7, () => scene.random.pick(scene.event.taxRates))
}
