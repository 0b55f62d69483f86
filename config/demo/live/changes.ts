import { consentOf } from "../consents.ts"
import { makeGuest } from "../guests.ts"
import { itemStatus } from "../item.ts"
import { homeOf, streetAddress } from "../places.ts"
import { type ItemTableName, itemTables, pick } from "./pick.ts"
import type { Work } from "./work.ts"

/** A change of one record. Does nothing if the event has no such record. */
type Change = (work: Work) => Promise<void>

const changes: readonly { readonly weight: number; readonly value: Change }[] = [
  { weight: 30, value: changeConsent },
  { weight: 15, value: changeMobile },
  { weight: 10, value: changeOptIn },
  { weight: 10, value: moveHouse },
  { weight: 10, value: changeStock },
  { weight: 10, value: changeClosing },
  { weight: 15, value: changeStatus },
]

/** Changes a random record of the event: a guest, its consent or address, or an item. */
export async function changeRecord(work: Work): Promise<void> {
  await work.scene.random.pickWeighted(changes)(work)
}

/** A guest gives, changes or withdraws a consent, or has none any more. */
async function changeConsent(work: Work): Promise<void> {
  const { db, scene } = work
  const guest = await pick(work, "guest")
  if (!guest) return
  const consent = consentOf(scene, { row: { event_id: scene.event.row.id, id: guest } })
  await db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom("consent")
      .where("event_id", "=", scene.event.row.id).where("guest_id", "=", guest).execute()
    if (consent) await transaction.insertInto("consent").values(consent).execute()
  })
}

/** A guest has another number. */
export async function changeMobile(work: Work): Promise<void> {
  const { mobile } = makeGuest(work.scene, 0).row
  await changeGuest(work, { mobile })
}

async function changeOptIn(work: Work): Promise<void> {
  await changeGuest(work, { sms_opt_in: work.scene.random.chance(0.5) ? 1 : 0 })
}

async function changeGuest(
  work: Work,
  values: { readonly mobile?: string; readonly sms_opt_in?: number },
): Promise<void> {
  const guest = await pick(work, "guest")
  if (!guest) return
  await work.db.updateTable("guest").set(values)
    .where("event_id", "=", work.scene.event.row.id).where("id", "=", guest).execute()
}

/** A guest moves within the event's country. A guest without an address stays without. */
async function moveHouse(work: Work): Promise<void> {
  const { db, scene: { event, random } } = work
  const guest = await pick(work, "guest")
  if (!guest) return
  const home = homeOf(event)
  await db.updateTable("address").set({
    line1: streetAddress(home, random),
    town: random.pick(home.towns),
  })
    .where("event_id", "=", event.row.id).where("guest_id", "=", guest).where("kind", "=", "main")
    .execute()
}

/** Some of an item are sold, or more arrive. */
async function changeStock(work: Work): Promise<void> {
  const item = await pick(work, "buy_now_item")
  if (!item) return
  const quantity = work.scene.random.between(1, 50)
  await work.db.updateTable("buy_now_item").set({ quantity })
    .where("event_id", "=", work.scene.event.row.id).where("id", "=", item).execute()
}

/** A silent lot closes at another time. */
async function changeClosing(work: Work): Promise<void> {
  const { db, scene: { event, random } } = work
  const lot = await pick(work, "auction_item")
  if (!lot) return
  const closes = event.row.ends - random.between(0, 8) * 15 * 60
  await db.updateTable("auction_item").set({ closes })
    .where("event_id", "=", event.row.id).where("id", "=", lot).execute()
}

/** An item is sold out, withdrawn or for sale again. */
async function changeStatus(work: Work): Promise<void> {
  const { db, scene } = work
  const table: ItemTableName = scene.random.pick(itemTables)
  const item = await pick(work, table)
  if (!item) return
  await db.updateTable(table as "ticket").set({ status: itemStatus(scene) })
    .where("event_id", "=", scene.event.row.id).where("id", "=", item).execute()
}
