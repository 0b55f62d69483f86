import { type Kysely, sql } from "kysely"
import type { Dialect } from "../dialect.ts"
import { addIndex, createTable } from "./create-table.ts"

/**
 * The parts of the change log that polling reads: the positions of deleted records, and the time from
 * which the log is complete. In a database without organizations nothing can have been deleted yet,
 * so its log is complete from the beginning of time.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await addIndex(db, dialect, "change_log", {
    name: "change_log_stood",
    columns: ["event_id", "category", "operation", "updated", "record_id"],
  })
  await createTable(db, dialect, "change_log_horizon", (table) =>
    table
      .addColumn("id", dialect.types.integer, (c) => c.notNull().primaryKey())
      .addColumn("complete_since", dialect.types.seconds, (c) => c.notNull()))
  await sql`insert into change_log_horizon (id, complete_since)
    select 1, case when exists (select 1 from organization) then ${dialect.now} else 0 end
    from (select 1 as one) as single
    where not exists (select 1 from change_log_horizon)`.execute(db)
}
