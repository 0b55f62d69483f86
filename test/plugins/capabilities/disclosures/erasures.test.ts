import { performance } from "node:perf_hooks"
import { type Insertable, sql } from "kysely"
import t from "tap"
import { Database } from "../../../../core/data/database.ts"
import type { Schema } from "../../../../core/data/schema.ts"
import { addDisclosures } from "../../../../plugins/capabilities/disclosures/ledger.ts"
import { addNotices, type Notice } from "../../../../plugins/capabilities/disclosures/notices.ts"
import { countOverdue, listOverdue } from "../../../../plugins/capabilities/disclosures/overdue.ts"
import { overdueCounts } from "../../../../plugins/capabilities/disclosures/overdue-counts.ts"
import { past } from "../../../support/builder.ts"
import { type Engine, onEveryEngine } from "../../../support/database.ts"
import { watchStatements } from "../../../support/watched-statements.ts"
import { startLedger } from "../../../support/ledger.ts"

type Values<Table extends keyof Schema> = Insertable<Schema[Table]>

await onEveryEngine(t, async (t, engine) => {
  await t.test("addNotices writes a range if one of its deletions is new to the account", async (t) => {
    const { database, event, rowsOf } = await startLedger(engine)
    const { writer } = database
    const { signal } = new AbortController()
    const deletion = { event_id: event, category: "guests", created: past, updated: past }
    await writer.insertInto("deletion").values([
      { ...deletion, record_id: "1", at: 30 },
      { ...deletion, record_id: "2", at: 51 },
      { ...deletion, record_id: "3", at: 80 },
      { ...deletion, record_id: "4", at: 150 },
      { ...deletion, record_id: "5", at: 40, category: "pledges" },
    ]).execute()
    const notice = { eventId: event, accountId: "x", prefix: "/p", list: "guests", at: 1 } as const
    type Part = Partial<Notice> & Pick<Notice, "kind" | "from" | "to">
    /** Adds notices, each alone, and returns the ranges that are written. */
    const added = async (...parts: Part[]) => {
      await writer.deleteFrom("erasure_notice").where("event_id", "=", event).execute()
      for (const part of parts) await addNotices(database, [{ ...notice, ...part }], signal)
      return (await rowsOf("erasure_notice")).map(({ from_time, to_time }) => [from_time, to_time])
    }
    const told = (from: number, to: number, more: Partial<Notice> = {}) => (
      { kind: "told", from, to, ...more } as const
    )
    t.strictSame(await added(told(100, 200), told(0, 60)), [[100, 200], [0, 60]])
    t.strictSame(await added(told(30, 51), told(30, 51), told(31, 79)), [[30, 51]])
    t.strictSame(
      await added(told(30, 51), told(30, 51, { prefix: "/q" })),
      [[30, 51], [30, 51]],
      "lists of families may have other guests",
    )
    t.strictSame(await added(told(52, 79), told(40, 45)), [], "without deletions")
    t.strictSame(await added(told(31, 60), told(30, 50)), [[31, 60], [30, 50]], "30 is new")
    t.strictSame(await added(told(0, 50), told(0, 51)), [[0, 50], [0, 51]], "51 is new")
    t.strictSame(await added(told(0, 60, { list: "items" }), told(0, 60)), [[0, 60], [0, 60]])
    const acknowledged = (to: number, more: Partial<Notice> = {}) => (
      { kind: "acknowledged", from: 0, to, ...more } as const
    )
    t.strictSame(await added(acknowledged(60), told(0, 60)), [[0, 60], [0, 60]])
    t.strictSame(
      await added(acknowledged(50), acknowledged(51), acknowledged(79), acknowledged(51)),
      [[0, 50], [51, 51]],
    )
    t.strictSame(await added(acknowledged(-1), acknowledged(99), acknowledged(80)), [[0, 99]])
    t.strictSame(await added(acknowledged(200, { from: 60 }), acknowledged(99)), [[60, 200]])
    t.strictSame(
      await added(
        acknowledged(200, { kind: "attested" }),
        acknowledged(200, { list: "items" }),
        acknowledged(200, { accountId: "y" }),
        acknowledged(200),
      ),
      [[0, 200], [0, 200], [0, 200], [0, 200]],
    )

    for (let failing = 1, isDone = false; !isDone; failing++) {
      await added()
      const abort = new AbortController()
      let count = 0
      const watched = watchStatements(database, () => {
        if (++count === failing) abort.abort(new Error("too late"))
      })
      const adding = addNotices(watched, [{ ...notice, ...acknowledged(200) }], abort.signal)
      isDone = await adding.then(() => true, ({ message }) => message !== "too late")
      t.equal(count, isDone ? failing - 1 : failing, "it fails with each, and gives up then")
    }
  })

  await t.test("an account is told by none of HEAD, filtered and other pages, nor before Next-Since", async (t) => {
    const { ledger, guest, deletionOf, at } = await stage(engine, { ago: 100 })
    await ledger.request("guests/deletions", { method: "HEAD" })
    await ledger.request(`guests/deletions?bucket=${guest[0]}`)
    await ledger.request(`guests/deletions?since=${at + 1}`)
    t.match(await deletionOf(guest), { told: null })
    // Where open changes can be seen, Next-Since is hardly earlier than now.
    const late = await stage(engine, { ago: engine === "sqlite" ? 1 : -100 })
    for (const since of engine === "sqlite" ? [-1, late.at + 1] : [-1]) {
      t.equal((await late.ledger.request(`guests/deletions?since=${since}`)).status, 200)
    }
    t.match(await late.deletionOf(late.guest), { told: null, acknowledged: null })
  })

  await t.test("a page by offset tells of all but its newest deletions, and a 304 of its page", async (t) => {
    const { ledger, guest, deletionOf, at } = await stage(engine, { ago: 100 })
    for (const offset of [10, 20]) {
      const id = await ledger.build.guest(ledger.event)
      await ledger.remove(id)
      await ledger.setDeletion({ at: at - offset }, id)
    }
    t.equal((await (await ledger.request("guests/deletions?offset=1")).json()).length, 2)
    await ledger.written()
    const ranges = await ledger.rowsOf("erasure_notice")
    const tells = (time: number) =>
      ranges.some(({ from_time, to_time }) => from_time <= time && time <= to_time)
    // Another deletion of the same second may be on the page before.
    t.strictSame([at, at - 10, at - 20].map(tells), [false, false, true])

    const path = `guests/deletions?since=${at - 5}`
    const { headers } = await ledger.request(path, { method: "HEAD" })
    t.match(await deletionOf(guest), { told: null })
    const etag = headers.get("etag") ?? ""
    t.equal((await ledger.request(path, { headers: { "if-none-match": etag } })).status, 304)
    t.match(await deletionOf(guest), { told: Number })
  })

  await t.test("an account acknowledges by a since that is later than the deletion", async (t) => {
    const { ledger, guest, deletionOf, at } = await stage(engine, { ago: 100 })
    await ledger.request(`guests/deletions?since=${at}`)
    t.match(await deletionOf(guest), { told: Number, acknowledged: null })
    await ledger.request(`guests/deletions?since=${at + 1}`)
    t.match(await deletionOf(guest), { acknowledged: Number })
    await ledger.request(`guests/deletions?since=${at + 2}`)
    await ledger.written()
    t.equal((await ledger.rowsOf("erasure_notice")).length, 2)
  })

  await t.test("pages of a walk by cursor tell of all deletions together, of the same second as well", async (t) => {
    const { ledger, guest, deletionOf, at } = await stage(engine, { ago: 100 })
    const others = []
    for (const offset of [0, 0, 5]) {
      const id = await ledger.build.guest(ledger.event)
      await ledger.remove(id)
      await ledger.setDeletion({ at: at - offset }, id)
      others.push(id)
    }
    const tells = async (time: number) => {
      await ledger.written()
      const rows = await ledger.rowsOf("erasure_notice")
      return rows.some(({ from_time, to_time }) => from_time <= time && time <= to_time)
    }
    let next: string | undefined = "guests/deletions?limit=1"
    while (next) {
      t.notOk(await tells(at - 5), "of none before its page")
      const response: Response = await ledger.request(next)
      t.equal(response.status, 200)
      const cursor = /(\?cursor=[^>]*)>/.exec(response.headers.get("link") ?? "")?.[1]
      next = cursor && `guests/deletions${cursor}`
    }
    t.match(await deletionOf(guest), { told: Number })
    t.ok(await tells(at - 5))
  })

  await t.test("listOverdue names who received a guest and has not acknowledged its deletion", async (t) => {
    const { ledger, at } = await stage(engine, { ago: 8 * 86_400 })
    t.match(await listOverdue(ledger.database, 7), [
      { account: "acme-export", event: { id: ledger.event }, guests: 1, first: at, last: at },
    ])
    t.strictSame(await listOverdue(ledger.database, 9), [])
    const counts = overdueCounts(ledger.database, 7)
    t.strictSame([...counts.latest().deleted], [], "nobody waits")
    await counts.count()
    t.strictSame([...counts.latest().deleted], [["acme-export", 1]])
    await ledger.request(`guests/deletions?since=${at + 1}`)
    await ledger.written()
    t.strictSame(await listOverdue(ledger.database, 7), [])
    await counts.count()
    t.strictSame([...counts.latest().deleted], [["acme-export", 0]])
  })

  await t.test("who acknowledges deleted items alone has acknowledged no guest's deletion", async (t) => {
    const { ledger, guest, deletionOf, at } = await stage(engine, { ago: 8 * 86_400 })
    const { build, event, request } = ledger
    // Ids may be the same in tables of other categories.
    const item = await build.item("tickets", event, { id: guest })
    await ledger.remove(item, "ticket")
    await ledger.setDeletion({ at })
    await request(`items/deletions?since=${at}`)
    await request(`items/deletions?since=${at + 1}`)
    t.match(await deletionOf(guest), { told: null, acknowledged: null })
    t.equal((await ledger.rowsOf("erasure_notice")).length, 2)
    t.match(await listOverdue(ledger.database, 7), [{ account: "acme-export", guests: 1 }])
    await request(`guests/deletions?since=${at + 1}`)
    t.match(await deletionOf(guest), { told: null, acknowledged: Number })
    t.strictSame(await listOverdue(ledger.database, 7), [])
  })

  await t.test("listOverdue counts a guest whose created was later than what was sent of it", async (t) => {
    const { ledger, guest, at } = await stage(engine, { ago: 8 * 86_400 })
    await ledger.setDeletion({ created: 4e9, updated: 4e9 }, guest)
    t.strictSame(await listOverdue(ledger.database, 7), [])
    const key = { event_id: ledger.event, category: "guests", record_id: guest }
    await ledger.database.writer.insertInto("record_start").values({ ...key, time: past }).execute()
    t.match(await listOverdue(ledger.database, 7), [{ guests: 1, first: at }])
  })

  await t.test("overdueCounts counts anew after five minutes, once at a time, and keeps what it knows if it cannot", async (t) => {
    const { ledger: { database } } = await stage(engine, { ago: 8 * 86_400 })
    const counts = overdueCounts(database, 7)
    let begun = 0
    database.inBackground = (work) => {
      begun++
      return Database.prototype.inBackground.call(database, work) as never
    }
    t.teardown(() => Reflect.deleteProperty(database, "inBackground"))
    /** Returns how many counts begin when somebody asks at a time. */
    const begunAt = (time: number) => {
      const before = begun
      const { now } = performance
      performance.now = () => time
      void counts.latest()
      performance.now = now
      return begun - before
    }
    t.equal(begunAt(1000), 1)
    const counting = counts.count()
    t.equal(begun, 1, "whoever asks meanwhile waits for the same count")
    await counting
    t.strictSame([begunAt(300_999), begunAt(301_000), begunAt(301_000)], [0, 1, 0])
    await counts.count()
    t.strictSame([...counts.latest().deleted], [["acme-export", 1]])
    await sql`alter table field_set rename to hidden`.execute(database.writer)
    await counts.count()
    await sql`alter table hidden rename to field_set`.execute(database.writer)
    t.strictSame([...counts.latest().deleted], [["acme-export", 1]])
    const before = begun
    await counts.count()
    t.equal(begun, before + 1)
  })

  await t.test("listOverdue keeps accounts and events apart, the oldest deletion first, also of those that are gone", async (t) => {
    const { database, event, build } = await startLedger(engine)
    const { writer } = database
    const { now } = await writer.selectNoFrom(database.dialect.now.as("now"))
      .executeTakeFirstOrThrow()
    const start = now - 8 * 86_400
    const [acme, partner] = await Promise.all(["acme-export", "partner"].map(async (username) => {
      const { id } = await writer.selectFrom("account").select("id")
        .where("username", "=", username).executeTakeFirstOrThrow()
      return id
    })) as [string, string]
    const gone = "an event that is gone"
    const early = { from: past + 5, to: past + 10, next: start - 50 }
    const late = { from: past + 4000, to: past + 5000, next: start + 10 }
    const disclosures = [
      { accountId: "gone-1", eventId: gone, ...early },
      { accountId: "gone-3", eventId: gone, ...early },
      { accountId: "gone-2", eventId: gone, ...early },
      { accountId: partner, eventId: event, ...late },
      { accountId: acme, eventId: event, ...early },
      // One of the two ranges of this account meets a deletion.
      { accountId: acme, eventId: event, ...early, from: past + 900, to: past + 901 },
      { accountId: "gone-1", eventId: event, ...early },
      { accountId: acme, eventId: gone, ...early, fields: ["Ticket.name"] },
      { accountId: "in time", eventId: event, ...early, next: start + 32 },
    ]
    await addDisclosures(
      database,
      disclosures.map((each) => ({
        ...{ prefix: "/p", list: "guests", fields: ["Guest.email"], whole: true, at: start },
        ...each,
      })),
      { near: 0, known: new Set(), signal: new AbortController().signal },
    )
    const id = (index: number) => `00000000-0000-4000-8000-00000000000${index}`
    const deletion = (index: number, after: number, values: Partial<Values<"deletion">> = {}) => ({
      ...{ event_id: event, category: "guests" as const, record_id: id(index) },
      ...{ created: past, updated: past + 5, at: start + after, ...values },
    })
    // From before it was known when records were created.
    const unknown = { created: null, updated: null }
    await writer.insertInto("deletion").values([
      deletion(1, -5, { event_id: gone, ...unknown }),
      deletion(1, 0),
      deletion(2, 10, unknown),
      deletion(3, 20, { created: past + 5000, updated: past + 5000 }),
      deletion(4, 30, { created: past + 5001, updated: past + 5001 }),
      deletion(5, 31, { updated: past + 4 }),
      deletion(6, 0, { category: "tickets" }),
      deletion(7, 2 * 86_400),
      deletion(8, 15),
    ]).execute()
    await build.guest(event, { id: id(8) })
    // Other events have guests with the same id.
    const elsewhere = await build.event(
      (await writer.selectFrom("event").select("organization_id").where("id", "=", event)
        .executeTakeFirstOrThrow()).organization_id,
    )
    await build.guest(elsewhere, { id: id(1) })
    await build.item("tickets", event, { id: id(2) })
    await build.guest(event)
    const ofEvent = { id: event, name: "Autumn Gala" }
    const ofGone = { id: gone, name: null }
    const kind = "deleted"
    const one = { event: ofGone, kind, guests: 1, first: start - 5, last: start - 5 }
    const two = { event: ofEvent, kind, guests: 2, first: start, last: start + 10 }
    const rest = [
      { account: "gone-1", ...two },
      { account: "partner", event: ofEvent, kind, guests: 2, first: start + 10, last: start + 20 },
    ]
    const all = [
      { account: "gone-1", ...one },
      { account: "gone-2", ...one },
      { account: "gone-3", ...one },
      { account: "acme-export", ...two },
      ...rest,
    ]
    t.strictSame(await listOverdue(database, 7), all)
    t.strictSame((await listOverdue(database, 8)).slice(0, 3), all.slice(0, 3))
    t.strictSame(Object.fromEntries((await countOverdue(database, 7)).deleted), {
      "acme-export": 2,
      "gone-1": 3,
      "gone-2": 1,
      "gone-3": 1,
      "in time": 0,
      partner: 2,
    })
    const notice = {
      ...{ kind: "acknowledged", event_id: event, account_id: acme, prefix: "/p" } as const,
      ...{ list: "guests", from_time: 0, to_time: start - 1, at: now },
    }
    await writer.insertInto("erasure_notice").values([
      notice,
      { ...notice, to_time: start - 100 },
      { ...notice, account_id: partner, to_time: start + 9 },
      { ...notice, kind: "told", to_time: now },
      { ...notice, kind: "attested", to_time: now },
      { ...notice, event_id: gone, to_time: now },
      { ...notice, account_id: "another", to_time: now },
    ]).execute()
    t.strictSame(await listOverdue(database, 7), all)
    await writer.insertInto("erasure_notice")
      .values({ ...notice, from_time: start, to_time: start }).execute()
    t.strictSame(await listOverdue(database, 7), [
      ...all.slice(0, 3),
      rest[0],
      {
        account: "acme-export",
        event: ofEvent,
        kind,
        guests: 1,
        first: start + 10,
        last: start + 10,
      },
      rest[1],
    ])
    // The latest deletions that all accounts of the event have acknowledged are not even read.
    await writer.insertInto("erasure_notice").values(
      [acme, partner, "gone-1", "in time"].map((account_id) => ({
        ...{ ...notice, account_id, to_time: start + 19 },
      })),
    ).execute()
    t.strictSame(await listOverdue(database, 7), [
      ...all.slice(0, 3),
      { account: "partner", event: ofEvent, kind, guests: 1, first: start + 20, last: start + 20 },
    ])

    const sets = await writer.selectFrom("field_set").selectAll().execute()
    await writer.deleteFrom("field_set").execute()
    const without = [await listOverdue(database, 7), [...(await countOverdue(database, 7)).deleted]]
    await writer.insertInto("field_set").values(sets).execute()
    t.strictSame(without, [[], []])
  })
})

/** A guest that `acme-export` has read and that was deleted so many seconds ago. */
async function stage(engine: Engine, { ago }: { readonly ago: number }) {
  const ledger = await startLedger(engine)
  const { database, build, event, request, recordOf } = ledger
  const guest = await build.guest(event, { updated: past + 5 })
  await request(`guests?since=${past}`)
  await ledger.written()
  await ledger.remove(guest)
  const { now } = await database.writer.selectNoFrom(database.dialect.now.as("now"))
    .executeTakeFirstOrThrow()
  const at = now - ago
  await ledger.setDeletion({ at })
  await database.writer.updateTable("disclosure").set({
    first_at: at - 50,
    last_at: at - 50,
    first_next: at - 50,
  })
    .where("event_id", "=", event).execute()
  const deletionOf = async (guest: string) => {
    return (await recordOf(guest))?.recipients[0]
  }
  return { ledger, guest, at, deletionOf }
}
