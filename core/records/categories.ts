import type { Schema } from "../data/schema.ts"
import { guest } from "./kinds/guest.ts"
import { type ItemCategory, itemKinds } from "./kinds/items.ts"

/** What partners call a kind of record that belongs to an event. `deletion` names records by it. */
export type Category = "guests" | ItemCategory

/** The table of each category. */
export const categories = Object.fromEntries(
  Object.entries({ guests: guest, ...itemKinds }).map(([name, { table }]) => [name, table]),
) as Readonly<Record<Category, keyof Schema>>
