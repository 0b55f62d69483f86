import type { Insertable } from "kysely"
import type { Schema } from "../../core/data/schema.ts"
import type { Prize } from "./prizes.ts"
import { maybe, type Scene } from "./scene.ts"

/** The values that differ per item, except for the columns of its category. */
export interface ItemPlan extends Omit<Prize, "description"> {
  readonly description?: string
  /** The revenue stream, also the prefix of external ids. */
  readonly stream: string
  readonly index: number
}

const statuses: Readonly<Record<string, readonly string[]>> = {
  upcoming: ["draft", "active"],
  running: ["active", "active", "active", "sold_out", "withdrawn"],
  closed: ["closed", "closed", "sold_out", "withdrawn"],
}

/** The columns that all categories share. */
type ItemRow = Omit<Insertable<Schema["pledge"]>, "amount">

/** Makes the columns that all categories share. */
export function itemRow(scene: Scene, plan: ItemPlan): ItemRow & { id: string } {
  const { event, random, clock } = scene
  const { description } = plan
  return {
    event_id: event.row.id,
    id: random.uuid(),
    name: plan.name,
    status: itemStatus(scene),
    revenue_stream_type: plan.stream,
    external_id: maybe(scene, 0.7, () => `${plan.stream}-${plan.index + 1}`),
    categories: JSON.stringify(plan.categories),
    irs_subcategory: maybe(scene, 0.4, () => random.pick(subcategories)),
    description: description === undefined ? null : maybe(scene, 0.8, () => description),
    terms_description: maybe(scene, 0.5, () => random.pick(terms)),
    ...clock.recent(),
  }
}

/** Returns a status that an item can have while the event has its own. */
export function itemStatus({ event, random }: Scene): string {
  return random.pick(statuses[event.row.status] ?? ["active"])
}

const subcategories = ["Fully deductible", "Partly deductible", "Not deductible"]

const terms = [
  "Valid until 31 October 2027. Not for resale.",
  "By arrangement; some dates are excluded.",
  "No cash alternative. Over-18s only.\nCollection on the night.",
]

/** Returns a price in minor units, a multiple of `step`. */
export function price({ random }: Scene, { from, to, step }: PriceRange): number {
  return random.between(from / step, to / step) * step
}

/** A range of prices in minor units. Both ends are multiples of `step`. */
export interface PriceRange {
  readonly from: number
  readonly to: number
  readonly step: number
}

/** Returns a tax rate of the event's country, or null. */
export function taxRate(scene: Scene): number | null {
  return maybe(scene, 0.7, () => scene.random.pick(scene.event.taxRates))
}
