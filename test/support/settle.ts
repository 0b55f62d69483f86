import { setTimeout as sleep } from "node:timers/promises"
import { findWatermark } from "../../core/change-log/watermark.ts"
import type { Database } from "../../core/data/database.ts"

/** Moves up what is settled, as a service does once a second. The embedded database needs no such look. */
export async function settle(database: Database): Promise<void> {
  if (needsLooks(database)) await findWatermark(database)
}

/** Moves it up until all is settled, which may take a second: one look in a second writes. */
export async function settleAll(database: Database): Promise<void> {
  for (; needsLooks(database); await sleep(50)) {
    await settle(database)
    const { top, settled } = await database.writer.selectFrom("change_state")
      .select((eb) => [
        "settled",
        eb.selectFrom("event_change").select((eb) => eb.fn.max("seq").as("top")).as("top"),
      ]).executeTakeFirstOrThrow()
    if (settled >= Number(top)) return
  }
}

/** True on MySQL. */
function needsLooks({ dialect }: Database): boolean {
  return dialect.byPrimaryKey !== undefined
}
