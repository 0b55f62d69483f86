import type { Kysely } from "kysely"
import type { Dialect } from "../dialect.ts"

/** Room in the audit log for the longest cursor that the service accepts. */
export async function up(db: Kysely<unknown>, { widen, types }: Dialect): Promise<void> {
  await widen(db, "audit_log", { cursor_text: types.text(2048) })
}
