import { recorded } from "../../../support/recorded.ts"
import { setTimeout } from "node:timers/promises"
import { sql } from "kysely"
import t, { type Test } from "tap"
import type { Database } from "../../../../core/data/database.ts"
import { disclosureTrail } from "../../../../plugins/capabilities/disclosures/disclosure-trail.ts"
import { erasureTrail } from "../../../../plugins/capabilities/disclosures/erasure-trail.ts"
import { bindList } from "../../../../core/records/lists/list.ts"
import { guestDeletions, wholeGuestDeletion } from "../../../../core/records/lists/deletions.ts"
import type { Exchange, SentPage } from "../../../../core/request/exchange.ts"
import { type Engine, freshDatabase, onEmbedded } from "../../../support/database.ts"
import { type Described, exchangeOf, sentPageOf } from "../../../support/exchange.ts"
import { scannedLog } from "../../../support/scanned-log.ts"

const admission = { session: { account: { id: "a" } }, event: { id: "e" } }

const now = 1_700_000_000
const deletions = bindList(guestDeletions, wholeGuestDeletion)

await onEmbedded(t, async (t, engine) => {
  await t.test("disclosureTrail keeps entries that cannot be written, and refuses requests if it must", async (t) => {
    const { database, log, drops } = await stage(t, engine)
    const trail = recorded(
      { log, drops, required: true, patience: 300, longestPause: 50 },
      (recorders) => ({ record: disclosureTrail(database, recorders) }),
    )
    await sql`alter table disclosure rename to hidden`.execute(database.writer)
    trail.record(pageOf({ rows: 1 }))
    t.doesNotThrow(() => trail.assertRecording())
    while (trail.state === "ok") await setTimeout(20)
    t.throws(() => trail.assertRecording(), /cannot be recorded/)
    await sql`alter table hidden rename to disclosure`.execute(database.writer)
    while (trail.numbers.waiting > 0) await setTimeout(20)
    t.doesNotThrow(() => trail.assertRecording())
    await trail.close()
    t.match(await rowsOf(database), [{ from_time: 0, to_time: now }])
    t.equal(drops.dropped, 0)
  })

  await t.test("disclosureTrail continues a range over polls that found nothing", async (t) => {
    const { database, open } = await stage(t, engine)
    const trail = open()
    const add = (from: number, to: number, rows: number, described: Described = {}) =>
      trail.record(pageOf({ rows, range: { from, to } }, described))
    add(0, 100, 1)
    for (let at = 100; at < 1000; at += 100) add(at - 2, at + 100, 0)
    add(998, 1100, 3, { status: 304 })
    add(1098, 1200, 1)
    add(5000, 5100, 1)
    await trail.close()
    t.strictSame(await ranges(database), [[0, 1200, 1], [5000, 5100, 1]])
  })

  await t.test("disclosureTrail continues a range from the second after its end, however little a poll covers between", async (t) => {
    const { database, open } = await stage(t, engine)
    type Page = [from: number, to: number, rows: number, more?: Partial<SentPage>, method?: string]
    const rangesAfter = async (...pages: Page[]) => {
      await database.writer.deleteFrom("disclosure").execute()
      const trail = open()
      for (const [from, to, rows, more, method = "GET"] of pages) {
        trail.record(pageOf({ rows, range: { from, to }, ...more }, { method }))
      }
      await trail.close()
      return await ranges(database)
    }
    t.strictSame(await rangesAfter([0, 100, 1], [101, 200, 1]), [[0, 200, 1]])
    t.strictSame(await rangesAfter([0, 100, 1], [102, 200, 1]), [[0, 100, 1], [102, 200, 1]])
    t.strictSame(await rangesAfter([0, 100, 1], [101, 200, 0], [201, 300, 1]), [[0, 300, 1]])
    t.strictSame(await rangesAfter([0, 100, 1], [50, 60, 0], [101, 200, 1]), [[0, 200, 1]])
    t.strictSame(await rangesAfter([0, 100, 1], [50, 60, 1], [101, 200, 1]), [[0, 200, 1]])
    t.strictSame(
      await rangesAfter([0, 100, 1], [102, 200, 0], [201, 300, 1]),
      [[0, 100, 1], [201, 300, 1]],
      "what was not covered is not recorded",
    )
    const apart = [[0, 100, 1], [201, 300, 1]]
    const [first, last]: Page[] = [[0, 100, 1], [201, 300, 1]]
    if (!first || !last) return
    t.strictSame(await rangesAfter(first, [101, 200, 0, { isFiltered: true }], last), apart)
    t.strictSame(await rangesAfter(first, [101, 200, 1, {}, "HEAD"], last), apart)
    t.strictSame(
      await rangesAfter(first, [101, 200, 1, { isFiltered: true }], last),
      [[0, 100, 1], [101, 200, 0], [201, 300, 1]],
      "a part covers nothing",
    )
  })

  await t.test("disclosureTrail leaves out HEAD, errors, deletions and lists of no event", async (t) => {
    const { database, open } = await stage(t, engine)
    const trail = open()
    trail.record(pageOf({ rows: 1 }, { method: "HEAD" }))
    trail.record(pageOf({ rows: 1 }, { status: 304 }))
    trail.record(pageOf({ rows: 0 }))
    trail.record(pageOf({ rows: 1, list: deletions }))
    trail.record(pageOf({ rows: 1 }, { admission: { ...admission, event: undefined } }))
    trail.record(exchangeOf({ status: 404 }))
    await trail.close()
    t.strictSame(await rowsOf(database), [])
  })

  await t.test("disclosureTrail records a page that breaks off: any of it may have arrived", async (t) => {
    const { database, open } = await stage(t, engine)
    const trail = open()
    trail.record(pageOf({ rows: 1 }, { isWhole: false }))
    await trail.close()
    t.strictSame(await ranges(database), [[0, now, 1]])
  })

  await t.test("erasureTrail waits until a page has been sent in full", async (t) => {
    const { database, log, drops } = await stage(t, engine)
    await database.writer.insertInto("deletion")
      .values({ event_id: "e", category: "guests", record_id: "r", at: now - 50 }).execute()
    const told = async (isWhole: boolean) => {
      const trail = recorded(
        { log, drops },
        (recorders) => ({ record: erasureTrail(database, recorders) }),
      )
      const page = { rows: 1, list: deletions, span: { oldest: now - 50, newest: now - 50 } }
      trail.record(pageOf(page, { isWhole }))
      await trail.close()
      return (await database.writer.selectFrom("erasure_notice").selectAll().execute()).length
    }
    t.strictSame([await told(false), await told(true)], [0, 1])
  })
})

async function stage(t: Test, engine: Engine) {
  const database = await freshDatabase(t, engine)
  const [log, drops] = [scannedLog(t, []), { dropped: 0 }]
  const open = () =>
    recorded(
      { log, drops },
      ({ batch }) => ({ record: disclosureTrail(database, { batch, near: 0 }) }),
    )
  return { database, log, drops, open }
}

/** Returns the record of a request for a page of an event's guests. */
function pageOf(page: Partial<SentPage>, described: Described = {}): Exchange {
  return exchangeOf({ admission, route: { prefix: "/p" }, ...described }, sentPageOf(page))
}

function rowsOf({ writer }: Database) {
  return writer.selectFrom("disclosure").selectAll().orderBy("from_time").execute()
}

async function ranges(database: Database) {
  return (await rowsOf(database)).map((
    { from_time, to_time, whole },
  ) => [from_time, to_time, whole])
}
