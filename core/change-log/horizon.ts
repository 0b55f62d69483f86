import { type Kysely, sql } from "kysely"
import type { GuestFilter } from "./departures.ts"
import type { Snapshot } from "../data/database.ts"
import type { Schema } from "../data/schema.ts"

/**
 * Returns the time from which all deletions of some categories of an event are known, in Unix seconds: they have been
 * recorded since, and none was forgotten.
 */
export async function readCompleteSince(
  { db, run }: Pick<Snapshot, "run"> & { readonly db: Pick<Snapshot["db"], "selectFrom"> },
  { eventId, categories, filter }: {
    readonly eventId: string
    readonly categories: readonly string[]
    /** Of a list of guests with one. */
    readonly filter?: GuestFilter | undefined
  },
): Promise<number> {
  const [row] = await run(
    db.selectFrom("change_state")
      .leftJoin("event_version", (join) => join.on("event_version.event_id", "=", eventId))
      .select([recordedSince.as("recorded"), "forgotten", "forgotten_guests", "forgotten_items"])
      .$if(filter !== undefined, (query) => query.select("forgotten_departures"))
      .where("id", "=", 1),
  )
  const lists = filter ? [...categories, "departures"] : categories
  const forgotten = ["forgotten" as const, ...lists.map(forgottenOf)]
  return Math.max(row?.recorded ?? 0, ...forgotten.map((column) => (row?.[column] ?? -1) + 1))
}

/**
 * The time from which all deletions are known, but for those that `event_version` says were forgotten. Version 1.3 moves
 * `complete_since` with what it forgets, and keeps elsewhere where it was.
 */
export const recordedSince = sql<number>`case when retained_since = complete_since
  then recorded_since else complete_since end`

function forgottenOf(category: string) {
  if (category === "departures") return "forgotten_departures"
  return category === "guests" ? "forgotten_guests" : "forgotten_items"
}

/** Notes the time of the latest deletion of a list, or of `departures`, that is forgotten. Call it in the transaction that deletes them. */
export async function noteForgotten(
  db: Kysely<Schema>,
  { eventId, category, at }: {
    readonly eventId: string
    readonly category: string
    readonly at: number
  },
): Promise<void> {
  const column = forgottenOf(category)
  await db.updateTable("event_version").set({ [column]: at }).where("event_id", "=", eventId)
    .where((eb) => eb(eb.fn.coalesce(column, eb.lit(-1)), "<", at)).execute()
}
