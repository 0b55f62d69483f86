import { makeGuest, rowsOf } from "../guests.ts"
import { insertRows, timeOf } from "../platform.ts"
import { ticket } from "../tickets.ts"
import { pick } from "./pick.ts"
import type { Work } from "./work.ts"

/** What comes and goes: attendees, and tickets among the products. */
export type Coming = "attendee" | "product"

/**
 * Adds an attendee or a ticket, or deletes one if there are more than the event began with: so their number stays about
 * the same, however many processes do this and for how long. Does nothing if there are none: then this is
 * not the demonstration's platform.
 */
export async function turnOver(work: Work, table: Coming): Promise<void> {
  const { db, scene: { event } } = work
  const { count } = await db.selectFrom(table as "product")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("gala_id", "=", event.row.id).where("deleted_at", "is", null)
    .$if(table === "product", (query) => query.where("type", "=", "ticket"))
    .executeTakeFirstOrThrow()
  const planned = table === "attendee" ? event.guests : event.items.ticket
  if (Number(count) === 0) return
  await (Number(count) <= planned ? add(work, table) : remove(work, table))
}

async function add({ db, scene }: Work, table: Coming): Promise<void> {
  const index = scene.random.between(10_000, 99_998)
  await db.transaction().execute(async (transaction) => {
    const { last } = await transaction.selectFrom(table).select(({ fn }) => fn.max("id").as("last"))
      .executeTakeFirstOrThrow()
    const id = last + 1
    await insertRows(
      transaction,
      table === "product"
        ? { product: [{ id, ...ticket(scene, index) }] }
        : rowsOf([makeGuest(scene, id, index)]),
    )
  })
}

/** Strikes a row off: it stays in its table. */
async function remove(work: Work, table: Coming): Promise<void> {
  const id = await pick(work, table, table === "product" ? "ticket" : undefined)
  if (id === undefined) return
  await work.db.updateTable(table as "product").set({ deleted_at: timeOf(Date.now() / 1000) })
    .where("id", "=", id).execute()
}
