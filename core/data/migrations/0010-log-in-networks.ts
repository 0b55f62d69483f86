import type { Kysely } from "kysely"
import type { Dialect } from "../dialect.ts"
import { createTable } from "./create-table.ts"

/** The networks from which accounts have logged in. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { id, slug, seconds } = dialect.types
  await createTable(
    db,
    dialect,
    "log_in_network",
    (table) =>
      table
        .addColumn("account_id", id, (c) => c.notNull())
        .addColumn("network", slug, (c) => c.notNull())
        .addColumn("last_used", seconds, (c) => c.notNull())
        .addPrimaryKeyConstraint("log_in_network_key", ["account_id", "network"])
        .addForeignKeyConstraint(
          "log_in_network_account",
          ["account_id"],
          "account",
          ["id"],
          (fk) => fk.onDelete("cascade"),
        ),
    { log_in_network_last_used: ["last_used"] },
  )
}
