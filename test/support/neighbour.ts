import type { Kysely } from "kysely"
import type { Database } from "../../core/data/database.ts"
import type { Schema } from "../../core/data/schema.ts"
import { categories, type Category } from "../../core/records/kinds/categories.ts"
import { Builder, withHistory } from "./builder.ts"
import { idAt } from "./same-ids.ts"

/** Of two events: whether the first or the last of some rows is taken, one of them is found. */
const ids = ["00000000-0000-4000-8000-00000000000e", "ffffffff-ffff-4fff-bfff-fffffffffffe"]

/** Records of each category. Every third one is deleted again. */
const count = 12

/**
 * Adds an organization that nobody in a test may read: its events have the usual name, and records and deletions with
 * the ids that records of other events get first, but with other content. So whatever takes a record of another
 * event is noticed.
 */
export async function addNeighbour(database: Database): Promise<void> {
  await withHistory(database, async (db) => {
    await db.transaction().execute(async (db) => {
      const build = new Builder({ writer: db } as unknown as Database)
      const organization = await build.organization("neighbour")
      for (const id of ids) await addRecords(db, await build.event(organization, { id }))
    })
  })
}

async function addRecords(db: Kysely<Schema>, event: string): Promise<void> {
  const build = new Builder({ writer: db } as unknown as Database)
  const eve = { first_name: "Eve", email: "eve@neighbour.example" }
  const guests = await build.guests(event, count, (index) => ({ ...eve, id: idAt(index) }))
  const of = guests.map((guest_id) => ({ event_id: event, guest_id }))
  await db.insertInto("consent")
    .values(of.map((key) => ({ ...key, asked: 1, status: "inactive", channels: "post" })))
    .execute()
  const [first, ...others] = of
  await build.address(event, first?.guest_id ?? "", { town: "Elsewhere" })
  const { kind: _, ...address } = await db.selectFrom("address").selectAll()
    .where("event_id", "=", event).executeTakeFirstOrThrow()
  await db.insertInto("address").values(others.map((key) => ({ ...address, ...key, kind: "main" })))
    .execute()
  for (const category of Object.keys(categories) as Category[]) {
    const named = (index: number) => ({ id: idAt(index), name: "Of a neighbour" })
    const records = category === "guests"
      ? guests
      : await build.items(category, event, count, named)
    await db.deleteFrom(categories[category] as "guest").where("event_id", "=", event)
      .where("id", "in", records.filter((_, index) => index % 3 === 1)).execute()
  }
}
