import type { Kysely } from "kysely"
import type { Dialect } from "../dialect.ts"
import { addIndex } from "./create-table.ts"

/** The index that an event's version is counted with. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await addIndex(db, dialect, "change_log", {
    name: "change_log_version",
    columns: ["event_id", "seq", "at"],
  })
}
