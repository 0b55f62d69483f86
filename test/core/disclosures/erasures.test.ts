import { sql } from "kysely"
import t from "tap"
import { addNotices } from "../../../core/disclosures/notices.ts"
import { listOverdue } from "../../../core/disclosures/overdue.ts"
import { OverdueCounts } from "../../../core/disclosures/overdue-counts.ts"
import { past } from "../../support/builder.ts"
import { type Engine, onEveryEngine } from "../../support/database.ts"
import { startLedger } from "../../support/ledger.ts"

await onEveryEngine(t, async (t, engine) => {
  await t.test("an account is told by a page that has the deletion, once Next-Since is later", async (t) => {
    const { ledger, guest, deletionOf } = await stage(engine, { ago: 100 })
    t.match(await deletionOf(guest), { told: null, acknowledged: null })
    t.equal((await (await ledger.request("guests/deletions")).json()).length, 1)
    t.match(await deletionOf(guest), { told: Number, acknowledged: null })
    t.equal((await ledger.rowsOf("erasure_notice")).length, 1)
    await ledger.request("guests/deletions?since=-1")
    await ledger.written()
    t.equal((await ledger.rowsOf("erasure_notice")).length, 1, "the same page tells nothing new")
  })

  await t.test("an account is not told of a deletion that the page cannot tell of for certain", async (t) => {
    const { ledger, guest, deletionOf } = await stage(engine, { ago: -100 })
    t.equal((await (await ledger.request("guests/deletions")).json()).length, 1)
    t.match(await deletionOf(guest), { told: null })
  })

  await t.test("an account is told by none of HEAD, filtered and other pages", async (t) => {
    const { ledger, guest, deletionOf, at } = await stage(engine, { ago: 100 })
    await ledger.request("guests/deletions", { method: "HEAD" })
    await ledger.request(`guests/deletions?bucket=${guest[0]}`)
    await ledger.request(`guests/deletions?since=${at + 1}`)
    t.match(await deletionOf(guest), { told: null })
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
    let next: string | undefined = "guests/deletions?limit=1"
    while (next) {
      const response: Response = await ledger.request(next)
      t.equal(response.status, 200)
      const cursor = /(\?cursor=[^>]*)>/.exec(response.headers.get("link") ?? "")?.[1]
      next = cursor && `guests/deletions${cursor}`
    }
    t.match(await deletionOf(guest), { told: Number })
    const rows = await ledger.rowsOf("erasure_notice")
    t.ok(rows.some(({ from_time, to_time }) => from_time <= at - 5 && to_time >= at - 5))
  })

  await t.test("listOverdue names who received a guest and has not acknowledged its deletion", async (t) => {
    const { ledger, at } = await stage(engine, { ago: 8 * 86_400 })
    t.match(await listOverdue(ledger.database, 7), [
      { account: "acme-export", event: { id: ledger.event }, guests: 1, first: at, last: at },
    ])
    t.strictSame(await listOverdue(ledger.database, 9), [])
    const counts = new OverdueCounts(ledger.database, 7)
    t.strictSame([...counts.latest], [], "nobody waits")
    await counts.count()
    t.strictSame([...counts.latest], [["acme-export", 1]])
    await ledger.request(`guests/deletions?since=${at + 1}`)
    await ledger.written()
    t.strictSame(await listOverdue(ledger.database, 7), [])
    await counts.count()
    t.strictSame([...counts.latest], [["acme-export", 0]])
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

  await t.test("listOverdue leaves out guests that nobody received, and those that are there again", async (t) => {
    const { ledger, guest } = await stage(engine, { ago: 8 * 86_400 })
    const unread = await ledger.build.guest(ledger.event, { created: 4e9, updated: 4e9 })
    await ledger.remove(unread)
    await ledger.setDeletion({ at: sql`at - 800000` }, unread)
    t.match(await listOverdue(ledger.database, 7), [{ guests: 1 }])
    await ledger.build.guest(ledger.event, { id: guest })
    t.strictSame(await listOverdue(ledger.database, 7), [])
  })

  await t.test("addNotices writes what no family of the account was told before", async (t) => {
    const { ledger, at } = await stage(engine, { ago: 100 })
    const { signal } = new AbortController()
    for (const kind of ["told", "acknowledged"] as const) {
      const notice = {
        kind,
        eventId: ledger.event,
        list: "guests",
        from: 0,
        to: at,
        at: 1,
      } as const
      await addNotices(ledger.database, [
        { ...notice, accountId: "x", prefix: "/p" },
        { ...notice, accountId: "x", prefix: "/q", at: 2 },
        { ...notice, accountId: "y", prefix: "/p", at: 3 },
      ], signal)
      const rows = (await ledger.rowsOf("erasure_notice")).filter((row) => row.kind === kind)
      t.strictSame(rows.map(({ account_id, prefix, at }) => [account_id, prefix, at]), [
        ["x", "/p", 1],
        ["y", "/p", 3],
      ])
    }
  })

  await t.test("addNotices writes nothing for a range without deletions", async (t) => {
    const { ledger, at } = await stage(engine, { ago: 100 })
    const { signal } = new AbortController()
    const notice = { eventId: ledger.event, accountId: "x", prefix: "/p", list: "guests" } as const
    await addNotices(ledger.database, [
      { ...notice, kind: "told", from: 0, to: at - 1, at: 1 },
      { ...notice, kind: "told", from: at + 1, to: at + 9, at: 1 },
      { ...notice, kind: "told", list: "items", from: 0, to: at + 9, at: 1 },
    ], signal)
    t.strictSame(await ledger.rowsOf("erasure_notice"), [])
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
