import type { Kysely, RawBuilder } from "kysely"
import type { Dialect } from "./dialect.ts"
import type { Schema } from "./schema.ts"

/**
 * The key of the row that belongs to no record: its time is the end of the last gap, during which a trigger was
 * missing.
 */
const ofGap = { event_id: "", category: "", record_id: "" }

/** The end of a gap that has not ended. */
const open = Number.MAX_SAFE_INTEGER

/** Notes that records may change without triggers from now on. */
export async function openGap(db: Kysely<Schema>, dialect: Dialect): Promise<void> {
  const insert = db.insertInto("record_start").values({ ...ofGap, time: open })
  await dialect.orUpdate(insert, ["event_id", "category", "record_id"], { time: open }).execute()
}

/** Ends a gap, if there is one. */
export async function closeGap(db: Kysely<Schema>, now: RawBuilder<number>): Promise<void> {
  await db.updateTable("record_start").set({ time: now })
    .where((eb) => eb.and({ ...ofGap, time: open })).execute()
}
