import { addressesOf } from "../addresses.ts"
import { consentOf } from "../consents.ts"
import { makeGuest } from "../guests.ts"
import { ticket } from "../tickets.ts"
import { pick } from "./pick.ts"
import type { Work } from "./work.ts"

/** The tables whose records come and go, and what partners call those. */
const categories = { guest: "guests", ticket: "tickets" } as const
type Table = keyof typeof categories

/**
 * The most positions that deleted records of a table may hold. They hold them for a day, in which one writer deletes
 * fewer: it only stops many writers from making the pages by offset ever longer.
 */
const mostVacant = 6000

/**
 * Inserts a record, or deletes one if there are more than the event began with: so their number stays about
 * the same, however many processes do this and for how long. Does nothing if there are none: then this is
 * not the demonstration's database.
 */
export async function turnOver(work: Work, table: Table): Promise<void> {
  const { db, scene: { event } } = work
  const planned = table === "guest" ? event.guests : event.items.ticket
  const { count } = await db.selectFrom(table as "guest").select((eb) =>
    eb.fn.countAll().as("count")
  )
    .where("event_id", "=", event.row.id).executeTakeFirstOrThrow()
  if (Number(count) === 0) return
  if (Number(count) <= planned) await insertRecord(work, table)
  else if (await countVacant(work, table) < mostVacant) await remove(work, table)
}

/** Inserts a guest, with what belongs to it, or a ticket. `db` may be a transaction. */
export async function insertRecord({ db, scene }: Work, table: Table): Promise<void> {
  const index = scene.random.between(10_000, 99_998)
  if (table === "ticket") {
    await db.insertInto("ticket").values(withoutStamps(ticket(scene, index))).execute()
    return
  }
  const guest = makeGuest(scene, index)
  const consent = consentOf(scene, guest)
  const addresses = addressesOf(scene, guest)
  const insert = async (transaction: Work["db"]) => {
    await transaction.insertInto("guest").values(withoutStamps(guest.row)).execute()
    if (consent) await transaction.insertInto("consent").values(consent).execute()
    if (addresses.length > 0) await transaction.insertInto("address").values(addresses).execute()
  }
  await (db.isTransaction ? insert(db) : db.transaction().execute(insert))
}

async function remove(work: Work, table: Table): Promise<void> {
  const id = await pick(work, table)
  if (!id) return
  await work.db.deleteFrom(table as "guest")
    .where("event_id", "=", work.scene.event.row.id).where("id", "=", id).execute()
}

async function countVacant({ db, scene }: Work, table: Table): Promise<number> {
  const { count } = await db.selectFrom("vacant_position")
    .select((eb) => eb.fn.countAll().as("count"))
    .where("event_id", "=", scene.event.row.id).where("category", "=", categories[table])
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Leaves the stamps to the database, because a record that is inserted now is new. */
function withoutStamps<Row extends { created?: unknown; updated?: unknown }>(row: Row): Row {
  const unstamped = { ...row }
  delete unstamped.created
  delete unstamped.updated
  return unstamped
}
