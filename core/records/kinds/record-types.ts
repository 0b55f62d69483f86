import type { RecordType } from "../fields.ts"
import { guestDeletion, itemDeletion } from "./deletions.ts"
import { event } from "./event.ts"
import { guest } from "./guest.ts"
import { itemKinds } from "./items.ts"

const all: readonly RecordType[] = [
  event,
  guest,
  ...Object.values(itemKinds),
  guestDeletion,
  itemDeletion,
]

/** Every kind of record that a list may have, by its name. */
export const recordTypes: ReadonlyMap<string, RecordType> = new Map(
  all.map((record) => [record.name, record]),
)
