import type { Database } from "../../core/data/database.ts"
import { exampleHorizon } from "../../core/openapi/example-problems.ts"
import { exampleRecords } from "../../core/openapi/examples.ts"
import { insertRows, type Rows } from "../../config/demo/insert-rows.ts"

type Columns = Record<string, string | number | null>

/** Writes the rows of which the service makes the records of the examples. */
export async function fillWithExamples(database: Database, organization: string): Promise<void> {
  const { Guest, GuestDeletion, ItemDeletion, Event, Ticket } = exampleRecords
  const { mainAddress, consentAsked, consentStatus, consentChannels, ...guest } = Guest
  const { giftAidAddress: _, taxReceiptAidAddress: __, ...ownGuest } = guest
  const of = { event_id: Guest.eventId, guest_id: Guest.id }
  const consent = {
    asked: Number(consentAsked),
    status: consentStatus,
    channels: consentChannels,
  }
  const { BuyNowItem, AuctionItem, Pledge, Raffle, GliRaffle } = exampleRecords
  const rows = {
    event: [{ ...rowOf(Event), organization_id: organization }],
    consent: [{ ...of, ...consent }],
    address: [{ ...of, kind: "main", ...mainAddress }],
    guest: [rowOf(ownGuest), { ...rowOf(ownGuest), id: GuestDeletion.id }],
    buy_now_item: [rowOf(BuyNowItem)],
    auction_item: [rowOf(AuctionItem)],
    pledge: [rowOf(Pledge)],
    raffle: [rowOf(Raffle)],
    gli_raffle: [rowOf(GliRaffle)],
    ticket: [rowOf(Ticket), { ...rowOf(Ticket), id: ItemDeletion.id }],
  }
  const { writer, dialect } = database
  await insertRows(writer, dialect.name, [rows as unknown as Rows])
  for (
    const [table, { id, deleted }] of [["guest", GuestDeletion], ["ticket", ItemDeletion]] as const
  ) {
    await writer.deleteFrom(table).where("event_id", "=", Event.id).where("id", "=", id).execute()
    await writer.updateTable("change_log").set({ at: deleted }).where("record_id", "=", id)
      .execute()
  }
  await writer.updateTable("change_log_horizon").set({ complete_since: exampleHorizon }).execute()
}

/** A record as its row: names in snake case, flags as numbers, lists as JSON. */
function rowOf(record: Readonly<Record<string, unknown>>): Columns {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      typeof value === "boolean"
        ? Number(value)
        : Array.isArray(value)
        ? JSON.stringify(value)
        : value as string | number | null,
    ]),
  )
}
