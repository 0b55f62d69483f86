import type { Kysely } from "kysely"
import type { Dialect } from "../dialect.ts"
import { addIndex } from "./create-table.ts"

/** The index that expired sessions are found with. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await addIndex(db, dialect, "session", { name: "session_ends", columns: ["expires"] })
}
