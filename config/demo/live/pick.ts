import type { Work } from "./work.ts"

/** The tables of items. */
export const itemTables = [
  "buy_now_item",
  "auction_item",
  "pledge",
  "raffle",
  "gli_raffle",
  "ticket",
] as const
/** The name of a table of items. */
export type ItemTableName = typeof itemTables[number]

/** Returns the id of a random record of the event; undefined if it has none. */
export async function pick(
  { db, scene: { event, random } }: Work,
  table: "guest" | ItemTableName,
): Promise<string | undefined> {
  const first = db.selectFrom(table as "guest").select("id")
    .where("event_id", "=", event.row.id).orderBy("id").limit(1)
  // Ids are random: the one after a random id is found by the key, without counting.
  const found = await first.where("id", ">=", random.uuid()).executeTakeFirst() ??
    await first.executeTakeFirst()
  return found?.id
}
