import { type Kysely, sql } from "kysely"
import type { Dialect } from "../dialect.ts"
import { addColumns } from "./add-columns.ts"

/**
 * Adds when the latest of an event's deletions happened that are not remembered any more: `changed` never goes back
 * before it. For those that were forgotten before, it is the time from which deletions are known.
 */
export async function up(db: Kysely<unknown>, { types }: Dialect): Promise<void> {
  await addColumns(db, "event_version", { forgotten: types.long })
  await sql`update event_version
    set forgotten = (select max(complete_since) from change_state where complete_since > 0)
    where forgotten is null`.execute(db)
}
