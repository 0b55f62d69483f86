import type { Kysely } from "kysely"
import type { Dialect } from "../dialect.ts"
import { createTable } from "./create-table.ts"

/** The record tables that exist after migration 0001, and the category that the log gives each. */
const logged = {
  guest: "guests",
  buy_now_item: "buyNows",
  auction_item: "auctionItems",
  pledge: "pledges",
  raffle: "prizeDraws",
  gli_raffle: "gliRaffles",
  ticket: "tickets",
}

/**
 * Creates the change log, and the triggers that maintain it and every `updated`. Rows are only
 * appended, in a sequence that the database hands out without locks, so writers never wait for one
 * another.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { id, slug, seconds, sequence } = dialect.types

  await createTable(
    db,
    dialect,
    "change_log",
    (table) =>
      table
        .addColumn("seq", sequence, (c) => c.notNull().primaryKey().autoIncrement())
        .addColumn("event_id", id, (c) => c.notNull())
        .addColumn("category", slug, (c) => c.notNull())
        .addColumn("record_id", id, (c) => c.notNull())
        .addColumn("operation", slug, (c) => c.notNull())
        .addColumn("updated", seconds, (c) => c.notNull())
        .addColumn("at", seconds, (c) => c.notNull()),
    { change_log_event: ["event_id", "category", "operation", "at"] },
  )

  const { triggers } = dialect
  const statements = [
    ...triggers.stamp("organization"),
    ...triggers.stamp("event"),
    ...Object.entries(logged).flatMap(([table, category]) => triggers.record(table, category)),
    ...triggers.touchGuest("consent"),
    ...triggers.touchGuest("address"),
  ]
  for (const statement of statements) await statement.execute(db)
}
