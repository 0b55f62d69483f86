import type { Schema } from "../../data/schema.ts"
import type { RecordType } from "./fields.ts"
import { guestDeletion, itemDeletion } from "./deletions.ts"
import { event } from "./event.ts"
import { guest } from "./guest.ts"
import { type ItemCategory, itemKinds } from "./items.ts"

/** What partners call a kind of record that belongs to an event. `deletion` names records by it. */
export type Category = "guests" | ItemCategory

/** The table of each category. */
export const categories = Object.fromEntries(
  Object.entries({ guests: guest, ...itemKinds }).map(([name, { table }]) => [name, table]),
) as Readonly<Record<Category, keyof Schema>>

const all = [event, guest, ...Object.values(itemKinds), guestDeletion, itemDeletion]

/** Every kind of record that a list may have, by its name. */
export const recordTypes: ReadonlyMap<string, RecordType> = new Map(
  all.map((record) => [record.name, record]),
)
