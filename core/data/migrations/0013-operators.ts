import type { Kysely } from "kysely"
import type { Dialect } from "../dialect.ts"
import { addColumns } from "./add-columns.ts"
import { addIndex } from "./create-table.ts"

/**
 * Why a session ended, who made a change that is in the audit log and what it was, and the last request of
 * each account that was refused because nobody could be logged in by it.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { id, slug, seconds, text } = dialect.types
  await addColumns(db, "session", { reason: slug })
  await addColumns(db, "audit_log", { actor: slug, detail: text(1000) })
  await addIndex(db, dialect, "audit_log", {
    name: "audit_log_request",
    columns: ["request_id"],
  })
  // The errors of a day are few among millions of entries.
  await addIndex(db, dialect, "audit_log", {
    name: "audit_log_status",
    columns: ["status", "at"],
  })
  await addColumns(db, "account_activity", {
    refused: seconds,
    refused_code: slug,
    refused_request: slug,
    refused_session: id,
    refused_address: slug,
  })
}
