import type { Kysely } from "kysely"
import type { Dialect } from "../dialect.ts"
import { addColumns } from "./add-columns.ts"

/** Lets each list of deletions remember what it has forgotten. What was forgotten before is told by `complete_since`. */
export async function up(db: Kysely<unknown>, { types: { long } }: Dialect): Promise<void> {
  await addColumns(db, "event_version", { forgotten_guests: long, forgotten_items: long })
  await addColumns(db, "change_state", { retained_since: long, recorded_since: long })
}
