import { type Kysely, sql } from "kysely"
import type { Dialect } from "../dialect.ts"
import { addColumns } from "./add-columns.ts"

const recordTables = [
  "guest",
  "buy_now_item",
  "auction_item",
  "pledge",
  "raffle",
  "gli_raffle",
  "ticket",
]

/**
 * Gives each record a version, which triggers renew with every change, and adds it to the index of the
 * listing. Records from before have version 0 until they change. `epoch` says since when that is sound.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { types, indexes } = dialect
  const found = await db.introspection.getTables()
  const views = new Set(found.filter(({ isView }) => isView).map(({ name }) => name))
  for (const table of recordTables.filter((name) => !views.has(name))) {
    await addColumns(db, table, { export_version: types.hiddenVersion })
    await indexes.replace(db, {
      table,
      name: `${table}_newest`,
      columns: ["event_id", "updated", "id", "export_version"],
    })
  }
  await addColumns(db, "change_state", { epoch: types.seconds })
  await sql`update change_state set epoch = 0 where epoch is null`.execute(db)
}
