import { sql } from "kysely"
import t from "tap"
import { findDisclosures } from "../../../core/disclosures/find-disclosures.ts"
import { past } from "../../support/builder.ts"
import { onEveryEngine } from "../../support/database.ts"
import { startLedger } from "../../support/ledger.ts"

await onEveryEngine(t, async (t, engine) => {
  await t.test("findDisclosures names the account and the fields of a page", async (t) => {
    const { build, event, request, recipientsOf } = await startLedger(engine)
    const guest = await build.guest(event, { updated: past + 5 })
    const other = await build.guest(event, { updated: past - 5, created: past - 5 })
    t.equal((await request(`guests?since=${past}`)).status, 200)
    const found = await recipientsOf(guest)
    t.match(found, [{ account: "acme-export", certain: true }])
    t.ok(found[0]?.fields.includes("Guest.email"))
    t.strictSame(await recipientsOf(other), [])
  })

  await t.test("findDisclosures finds a page of a guest that has changed since", async (t) => {
    const { build, database, event, request, recipientsOf, written } = await startLedger(engine)
    const guest = await build.guest(event, { updated: past + 5 })
    await request(`guests?since=${past}&limit=1`)
    await written()
    await database.writer.updateTable("guest").set({ first_name: "Grace" })
      .where("id", "=", guest).execute()
    await database.writer.updateTable("guest").set((eb) => ({ created: eb("updated", "+", 1) }))
      .where("id", "=", guest).execute()
    t.match(await recipientsOf(guest), [{ account: "acme-export" }])
  })

  await t.test("findDisclosures finds pages from before a guest was deleted, and was inserted again", async (t) => {
    const { build, event, request, recipientsOf, recordOf, written, remove, setDeletion } =
      await startLedger(engine)
    const guest = await build.guest(event, { updated: past + 5 })
    await request(`guests?since=${past}`)
    await written()
    await remove(guest)
    // Within the same second, nobody knows which was first.
    await setDeletion({ at: sql`at + 10` })
    t.match(await recordOf(guest), {
      state: "deleted",
      recipients: [{ account: "acme-export", certain: true }],
    })
    await build.guest(event, { id: guest, created: past + 900, updated: past + 1000 })
    t.match(await recipientsOf(guest), [{ account: "acme-export", certain: true }])
  })

  await t.test("findDisclosures finds pages from before the clock was set back, and none from after the deletion", async (t) => {
    const ledger = await startLedger(engine)
    const { build, database, event, request, recipientsOf, written } = ledger
    const guest = await build.guest(event, { updated: past + 5 })
    await request(`guests?since=${past}`)
    await written()
    await ledger.remove(guest)
    const [row] = await ledger.rowsOf("disclosure")
    const at = row?.first_at ?? 0
    await ledger.setDeletion({ at: at - 4000 })
    t.strictSame(await recipientsOf(guest), [])
    await database.writer.insertInto("clock_step").values({ reached: at, back_to: at - 4001 })
      .execute()
    t.match(await recipientsOf(guest), [{ account: "acme-export" }])
  })

  await t.test("findDisclosures is not certain of pages from after a deletion, whose walk began before", async (t) => {
    const { build, database, event, request, recordOf, written, remove, setDeletion, rowsOf } =
      await startLedger(engine)
    const guest = await build.guest(event, { updated: past + 5 })
    await request(`guests?since=${past}`)
    await written()
    await remove(guest)
    const [{ first_at: at } = { first_at: 0 }] = await rowsOf("disclosure")
    await database.writer.updateTable("disclosure").set({ first_next: at - 9 })
      .where("event_id", "=", event).execute()
    for (const [deleted, certain] of [[at - 5, false], [at + 5, true]] as const) {
      await setDeletion({ at: deleted })
      t.match((await recordOf(guest))?.recipients, [{ account: "acme-export", certain }])
    }
  })

  await t.test("findDisclosures finds nobody after 304, HEAD and empty pages", async (t) => {
    const { build, event, request, recipientsOf } = await startLedger(engine)
    const guest = await build.guest(event, { updated: past + 5 })
    await request("guests", { method: "HEAD" })
    await request("guests?since=4000000000")
    await request(`guests?since=${past + 6}`)
    t.strictSame(await recipientsOf(guest), [])
  })

  await t.test("findDisclosures says that a search may have returned what lies between its records", async (t) => {
    const { build, event, request, recipientsOf } = await startLedger(engine)
    await build.guest(event, { updated: past + 1, first_name: "Mary" })
    const between = await build.guest(event, { updated: past + 5 })
    await build.guest(event, { updated: past + 9, first_name: "Mary" })
    const newer = await build.guest(event, { updated: past + 50_000, created: past + 50_000 })
    await request("guests?q=mary")
    t.match(await recipientsOf(between), [{ account: "acme-export", certain: false }])
    t.strictSame(await recipientsOf(newer), [])
  })

  await t.test("findDisclosures knows no guest, and names those who may have received one of an event", async (t) => {
    const { build, database, event, request, written } = await startLedger(engine)
    await build.guest(event)
    await request("guests")
    await written()
    const id = "00000000-0000-4000-8000-000000000000"
    t.strictSame((await findDisclosures(database, id)).records, [])
    const { records } = await findDisclosures(database, id, { eventId: event })
    t.match(records, [{
      state: "unknown",
      recipients: [{ account: "acme-export", certain: false }],
    }])
  })

  await t.test("a partner that keeps Next-Since has one row, however long nothing changes", async (t) => {
    const { build, event, request, written, rowsOf } = await startLedger(engine)
    await build.guest(event, { updated: past + 5 })
    const first = await request(`guests?since=${past}`)
    await request(`guests?since=${first.headers.get("next-since")}`)
    await build.guest(event, { first_name: "Grace" })
    await request(`guests?since=${first.headers.get("next-since")}`)
    await request(`guests?since=-1`)
    await written()
    const rows = await rowsOf("disclosure")
    t.match(rows, [{ from_time: -1, whole: 1 }])
    t.equal(rows.length, 1)
  })
})
