import { sql } from "kysely"
import t from "tap"
import { parseChanges, selectChangesBehind } from "../../../core/change-log/changes-behind.ts"
import { Builder } from "../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const { writer, dialect } = database
  const build = new Builder(database)
  const organization = await build.organization("acme")
  const [event, other] = [await build.event(organization), await build.event(organization)]
  const last = async () => {
    const row = await writer.selectFrom("event_change")
      .select((eb) => eb.fn.max("seq").as("seq")).executeTakeFirstOrThrow()
    return row.seq
  }
  const read = async (behind: number, tables: readonly string[]) => {
    const text = selectChangesBehind({ dialect }, {
      eventId: sql`${event}`,
      behind: sql`${behind}`,
      tables,
    })
    const { rows: [row] } = await sql<{ changes: string | null }>`select ${text} as changes`
      .execute(writer)
    const { rows, isCut } = parseChanges(row?.changes ?? null)
    return { rows: rows.toSorted((a, b) => a.seq - b.seq), isCut }
  }
  const keyOf = async (id: string) => {
    const row = await writer.selectFrom("guest").select(["updated", "export_version"])
      .where("event_id", "=", event).where("id", "=", id).executeTakeFirstOrThrow()
    return { time: row.updated, version: row.export_version }
  }

  await t.test("selectChangesBehind tells the records of an event that have changed, with the keys that they have now", async (t) => {
    const id = await build.guest(event)
    t.equal(await build.guest(other), id, "another event has the same ids")
    const gone = await build.guest(event)
    const begin = await last()
    await writer.updateTable("guest").set({ mobile: "2" }).where("id", "=", id).execute()
    await writer.deleteFrom("guest").where("event_id", "=", event).where("id", "=", gone).execute()
    const ticket = await build.item("tickets", event)
    const found = await read(begin, ["guest"])
    t.equal(found.isCut, false)
    t.match(found.rows, [
      { category: "guests", id, isDeletion: false, key: await keyOf(id) },
      { category: "guests", id: gone, isDeletion: true, key: undefined },
      { category: "tickets", id: ticket, isDeletion: false, key: undefined },
    ])
    t.match((await read(begin, ["guest", "ticket"])).rows.at(-1), { key: { time: Number } })
    t.strictSame(await read(found.rows.at(-1)?.seq ?? 0, ["guest"]), { rows: [], isCut: false })
  })

  await t.test("selectChangesBehind tells the newest 200, and that there are more", async (t) => {
    const begin = await last()
    await build.guests(event, 200)
    t.match(await read(begin, ["guest"]), { isCut: false, rows: { length: 200 } })
    const id = await build.guest(event)
    const { rows, isCut } = await read(begin, ["guest"])
    t.equal(isCut, true)
    t.equal(rows.length, 200)
    t.equal(rows.at(-1)?.id, id)
    t.equal(rows[0]?.seq, begin + 2)
  })
})
