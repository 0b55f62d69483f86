import { rowOf } from "../../conformance/sample-row.ts"
import type { Database } from "../../../core/data/database.ts"
import type { Field } from "../../../core/records/kinds/fields.ts"
import { guestDeletion, itemDeletion } from "../../../core/records/kinds/deletions.ts"
import { event } from "../../../core/records/kinds/event.ts"
import { address, guest } from "../../../core/records/kinds/guest.ts"
import { itemKinds } from "../../../core/records/kinds/items.ts"
import { insertRows, type Rows } from "../../support/insert-rows.ts"
import { withHistory } from "../../support/builder.ts"

const example = ({ example }: Field) => example

/** The time since when deletions are known, in Unix seconds: before those of the examples. */
const horizon = 1790000000

/** Inserts the rows that the service turns into the records of the examples. */
export async function fillWithExamples(database: Database, organization: string): Promise<void> {
  const { writer, dialect } = database
  const eventId = String(event.fields.id.example)
  const of = { event_id: eventId, guest_id: guest.fields.id.example }
  const deletions = [
    { record: guest, deletion: guestDeletion },
    { record: itemKinds.tickets, deletion: itemDeletion },
  ]
  const rows = {
    event: [{ ...rowOf(event, example), organization_id: organization }],
    consent: [{ ...of, ...rowOf(guest, example, "consent") }],
    address: [{ ...of, kind: "main", ...rowOf(address, example) }],
    ...Object.fromEntries(
      [guest, ...Object.values(itemKinds)].map((record) => [
        record.table,
        [
          rowOf(record, example),
          ...deletions.filter((each) => each.record === record).map(({ deletion }) => (
            { ...rowOf(record, example), id: deletion.fields.id.example }
          )),
        ],
      ]),
    ),
  }
  await withHistory(database, (db) => insertRows(db, dialect.name, [rows as unknown as Rows]))
  for (const { record: { table }, deletion: { fields } } of deletions) {
    const id = String(fields.id.example)
    await writer.deleteFrom(table).where("event_id", "=", eventId).where("id", "=", id).execute()
    await writer.updateTable("deletion").set({ at: Number(fields.deleted.example) })
      .where("record_id", "=", id).execute()
  }
  await writer.updateTable("change_state").set({ complete_since: horizon }).execute()
}
