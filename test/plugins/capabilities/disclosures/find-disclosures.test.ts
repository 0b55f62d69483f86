import { sql } from "kysely"
import t from "tap"
import { fullResync } from "../../../../core/change-log/clock-steps.ts"
import { findDisclosures } from "../../../../plugins/capabilities/disclosures/find-disclosures.ts"
import {
  addDisclosures,
  type Disclosure,
} from "../../../../plugins/capabilities/disclosures/ledger.ts"
import { past } from "../../../support/builder.ts"
import { onEveryEngine } from "../../../support/database.ts"
import { startLedger } from "../../../support/ledger.ts"

await onEveryEngine(t, async (t, engine) => {
  await t.test("findDisclosures names the account and the fields of a page", async (t) => {
    const { build, database, event, request, recipientsOf } = await startLedger(engine)
    const guest = await build.guest(event, { updated: past + 5 })
    const other = await build.guest(event, { updated: past - 5, created: past - 5 })
    await request("guests", { method: "HEAD" })
    await request(`guests?since=${past + 6}`)
    t.strictSame(await recipientsOf(guest), [])
    t.equal((await request(`guests?since=${past}`)).status, 200)
    const found = await recipientsOf(guest)
    t.match(found, [{ account: "acme-export", certain: true }])
    t.ok(found[0]?.fields.includes("Guest.email"))
    t.strictSame(await recipientsOf(other), [])
    const unknown = "00000000-0000-4000-8000-000000000000"
    t.strictSame((await findDisclosures(database, unknown)).records, [])
    t.match((await findDisclosures(database, unknown, { eventId: event })).records, [
      { state: "unknown", recipients: [{ account: "acme-export", certain: false }] },
    ])
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
    const receiversAfter = async (back_to: number) => {
      const writer = await database.writer.startTransaction().execute()
      await writer.insertInto("clock_step").values({ reached: at, back_to }).execute()
      const { records } = await findDisclosures({ ...database, writer }, guest)
      // The service must not see the step: it would take the `since` of other tests back to before it.
      await writer.rollback().execute()
      return records.find((record) => record.event.id === event)?.recipients
    }
    // Whoever reads everything again, because an operator said so, has not seen earlier times.
    t.strictSame(await receiversAfter(fullResync), [])
    t.match(await receiversAfter(at - 4001), [{ account: "acme-export" }])
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

  const one = {
    ...{ accountId: "an account", prefix: "/p", list: "guests", fields: ["Guest.email"] },
    ...{ whole: true, next: 0 },
  }

  /** Adds disclosures of an event, each in its own rows. */
  const disclose = async (
    { database, event }: Awaited<ReturnType<typeof startLedger>>,
    ...disclosures: (Partial<Disclosure> & Pick<Disclosure, "from" | "to" | "at">)[]
  ) => {
    const { signal } = new AbortController()
    for (const each of disclosures) {
      await addDisclosures(database, [{ ...one, eventId: event, ...each }], {
        ...{ near: 0, known: new Set(), signal },
      })
    }
  }

  await t.test("findDisclosures says from when until when a record was sent, and whether that is certain", async (t) => {
    const ledger = await startLedger(engine)
    const { build, database, recordOf, remove, setDeletion } = ledger
    const [created, updated, deleted] = [past + 100, past + 200, past + 400]
    const guest = await build.guest(ledger.event, { created, updated })
    /** Returns the only recipient after pages with a range were sent between two times. */
    const foundAfter = async (
      [from, to]: readonly [number, number],
      [first, last]: readonly [number, number],
      more: Partial<Disclosure> = {},
    ) => {
      await database.writer.deleteFrom("disclosure").execute()
      await disclose(ledger, { ...more, from, to, at: first }, { ...more, from, to, at: last })
      const recipients = (await recordOf(guest))?.recipients ?? []
      t.ok(recipients.length < 2)
      return recipients.map(({ certain, first, last }) => [certain, first, last]).flat()
    }
    const exact = [updated, updated] as const
    t.strictSame(await foundAfter(exact, [past + 150, updated]), [true, past + 150, updated])
    t.strictSame(await foundAfter(exact, [past + 50, past + 300]), [true, created, past + 300])
    const times = [past + 150, past + 300] as const
    const unsure = [false, ...times]
    t.strictSame(await foundAfter([past, updated - 1], times), unsure)
    t.strictSame(await foundAfter([updated + 1, updated + 9], times), [])
    t.strictSame(await foundAfter([past, created], times), unsure)
    t.strictSame(await foundAfter([past, created - 1], times), [])
    const gap = { event_id: "", category: "", record_id: "" }
    for (const [until, found] of [[created - 1, []], [created, unsure]] as const) {
      await database.writer.insertInto("record_start").values({ ...gap, time: until }).execute()
      t.strictSame(await foundAfter([past - 9, past - 9], times), found, "triggers wrote no rows")
      await database.writer.deleteFrom("record_start").execute()
    }
    t.strictSame(await foundAfter(exact, times, { whole: false }), unsure)
    t.strictSame(await foundAfter(exact, times, { fields: ["Ticket.name"] }), [])
    const both = { fields: ["Ticket.name", "Guest.id"] }
    t.strictSame(await foundAfter(exact, times, both), [true, ...times])
    const early = [past + 150, updated - 1] as const
    t.strictSame(await foundAfter(exact, early), [false, ...early])
    t.strictSame(await foundAfter(exact, [past + 10, past + 90]), [false, past + 90, past + 90])

    await remove(guest)
    await setDeletion({ at: deleted })
    const next = { next: deleted }
    t.strictSame(await foundAfter(exact, [deleted - 1, deleted + 9], next), [
      true,
      deleted - 1,
      deleted,
    ])
    t.strictSame(await foundAfter(exact, [deleted, deleted], next), [false, deleted, deleted])
    t.strictSame(await foundAfter(exact, times, { next: deleted + 1 }), [])
    const start = { event_id: ledger.event, category: "guests", record_id: guest }
    await database.writer.insertInto("record_start").values([
      { ...start, category: "tickets", time: past },
      { ...start, record_id: "another", time: past },
      { ...start, event_id: "another", time: past },
    ]).execute()
    t.strictSame(await foundAfter([past + 50, past + 60], times), [])
    await database.writer.insertInto("record_start").values({ ...start, time: past + 60 }).execute()
    t.strictSame(await foundAfter([past + 50, past + 60], times), unsure)
    await database.writer.deleteFrom("record_start").execute()
    // Such deletions are from before it was known when records were created.
    await setDeletion({ created: null, updated: null })
    t.strictSame(await foundAfter([past - 9, past - 9], times), unsure)
    t.strictSame(await foundAfter([4e9, 4e9], times), unsure)
  })

  await t.test("findDisclosures joins what an account got by one list, and keeps all else apart, in order", async (t) => {
    const ledger = await startLedger(engine)
    const { build, database, event, recordOf } = ledger
    const guest = await build.guest(event, { created: past, updated: past + 5000 })
    const [early, late] = [
      { from: past, to: past + 10, at: past + 20 },
      { from: past + 4990, to: past + 5010, at: past + 5020 },
    ]
    const others = [
      { accountId: "another" },
      { prefix: "/q" },
      { list: "lean guests" },
      { prefix: "/pg", list: "uests" },
      { fields: ["Guest.id"] },
    ]
    for (const rows of [[early, late], [late, early]]) {
      await database.writer.deleteFrom("disclosure").execute()
      await disclose(ledger, ...rows, ...others.map((other) => ({ ...early, ...other })))
      await database.writer.insertInto("disclosure").values({
        ...{ event_id: event, account_id: "a", prefix: "/p", list: "guests", fields: "unknown" },
        ...{ whole: 1, from_time: past, to_time: past, first_at: past, last_at: past },
        first_next: 0,
      }).execute()
      const nothing = { withdrawn: null, told: null, acknowledged: null, attested: null }
      const { accountId: account, prefix, list, fields } = one
      const sent = { account, prefix, list, fields, certain: false, ...nothing }
      const soon = { ...sent, first: past + 20, last: past + 20 }
      t.strictSame((await recordOf(guest))?.recipients, [
        { ...sent, account: "a", fields: [], first: past, last: past },
        { ...sent, certain: true, first: past + 20, last: past + 5020 },
        { ...soon, fields: ["Guest.id"] },
        { ...soon, list: "lean guests" },
        { ...soon, prefix: "/pg", list: "uests" },
        { ...soon, prefix: "/q" },
        { ...soon, account: "another" },
      ])
    }
  })

  await t.test("findDisclosures names the earliest notice of each kind that is about the deletion", async (t) => {
    const ledger = await startLedger(engine)
    const { build, database, event, recordOf, remove, setDeletion } = ledger
    const guest = await build.guest(event, { created: past, updated: past })
    await disclose(ledger, { from: past, to: past, at: past })
    const notice = { event_id: event, account_id: "an account", prefix: "/p", list: "guests" }
    const deleted = past + 100
    const range = { from_time: deleted, to_time: deleted }
    const told = { ...notice, kind: "told", ...range } as const
    await database.writer.insertInto("erasure_notice").values([
      { ...told, at: 5 },
      { ...told, at: 3 },
      { ...told, at: 1, from_time: deleted + 1, to_time: deleted + 9 },
      { ...told, at: 1, from_time: 0, to_time: deleted - 1 },
      { ...told, at: 1, list: "items" },
      { ...told, at: 1, event_id: "another" },
      { ...told, at: 1, account_id: "a" },
      { ...told, at: 1, account_id: "z" },
      { ...told, kind: "acknowledged", at: 7 },
      { ...told, kind: "attested", at: 8 },
    ]).execute()
    t.match((await recordOf(guest))?.recipients, [
      { told: null, acknowledged: null, attested: null },
    ])
    await remove(guest)
    await setDeletion({ at: deleted })
    t.match((await recordOf(guest))?.recipients, [{ told: 3, acknowledged: 7, attested: 8 }])
  })

  await t.test("findDisclosures looks through all events, those that are gone as well, or through one", async (t) => {
    const ledger = await startLedger(engine)
    const { build, database, event } = ledger
    const id = await build.guest(event)
    const events = Array.from({ length: 1000 }, (_, index) => `event ${index}`)
    const row = {
      ...{ account_id: "a", prefix: "/p", list: "guests", fields: "unknown", whole: 1 },
      ...{ from_time: past, to_time: past, first_at: past, last_at: past, first_next: 0 },
    }
    await database.writer.insertInto("disclosure")
      .values(events.map((event_id) => ({ ...row, event_id }))).execute()
    const gone = events.filter((_, index) => index % 9 === 0)
    await database.writer.insertInto("deletion").values(gone.map((event_id) => (
      { event_id, category: "guests", record_id: id, at: past + 9, created: past, updated: past }
    ))).execute()
    await database.writer.insertInto("deletion").values(
      { event_id: "event 1", category: "tickets", record_id: id, at: past, created: 1, updated: 1 },
    ).execute()
    const { guest, at, deletionsSince, records } = await findDisclosures(database, id.toUpperCase())
    t.match({ guest, at, deletionsSince }, { guest: id, at: Number, deletionsSince: Number })
    for (const [event_id, forgotten_guests] of [["of one", 2e9], ["of another", 3e9]] as const) {
      await database.writer.insertInto("event_version")
        .values({ event_id, seq: 0, changes: 0, mark: 0, forgotten_guests }).execute()
    }
    const knownSince = async (eventId?: string) =>
      (await findDisclosures(database, id, { eventId })).deletionsSince
    t.equal(await knownSince("of one"), 2e9 + 1)
    t.equal(await knownSince(), 3e9 + 1, "of any event")
    t.equal(await knownSince(event), deletionsSince)
    const found = records.filter(({ event: { id } }) => id.startsWith("event "))
    t.strictSame(found.map(({ event }) => event.id).toSorted(), gone.toSorted())
    t.match(found[0], {
      ...{ event: { name: null }, state: "deleted", deleted: past + 9 },
      recipients: [{ account: "a" }],
    })
    const own = await findDisclosures(database, id, { eventId: event.toUpperCase() })
    t.match(own.records, [{ event: { id: event, name: "Autumn Gala" }, state: "present" }])
    t.equal(own.records.length, 1)
    t.ok(records.length > gone.length + 1, "and of the neighbours")
  })
})
