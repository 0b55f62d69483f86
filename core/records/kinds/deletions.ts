import * as v from "valibot"
import { formatted, from, narrowed, recordType } from "./fields.ts"
import { deleted, recordId } from "./common.ts"
import { itemCategories } from "./items.ts"

/** A guest that has been deleted. */
export const guestDeletion = recordType({ name: "GuestDeletion" }, {
  id: recordId("762bed07-cf6b-4c9f-8aaa-9d8e7f6bbcc7"),
  deleted: from("record.time", deleted(1790007200)),
})

/** An item that has been deleted, and the category it was in. */
export const itemDeletion = recordType({ name: "ItemDeletion" }, {
  id: recordId("873cfe18-da7c-4daa-9bbb-ae9f8a7ccdd8"),
  category: narrowed(
    v.picklist(itemCategories),
    formatted("The array of the bundle that the item was in.", "tickets"),
  ),
  deleted: from("record.time", deleted(1790007200)),
})
