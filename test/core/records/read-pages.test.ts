import t, { type Test } from "tap"
import type { Snapshot } from "../../../core/data/database.ts"
import { guests } from "../../../core/records/guests.ts"
import { items } from "../../../core/records/items.ts"
import { guest } from "../../../core/records/kinds/guest.ts"
import {
  itemCategories,
  type ItemsProjection,
  wholeItems,
} from "../../../core/records/kinds/items.ts"
import { leanGuest, leanItems } from "../../../core/records/lean.ts"
import { encodeBody } from "../../../core/records/list.ts"
import type { PageRequest } from "../../../core/records/page.ts"
import { pick, type Projection, rewritten, whole } from "../../../core/records/projection.ts"
import { RecordCache } from "../../../core/records/record-cache.ts"
import { Builder } from "../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"
import { insertTricky } from "../../support/tricky-records.ts"

/** Reads a page of an event, with or without a cache. */
type List = (
  snapshot: Snapshot,
  scope: Parameters<typeof guests.list>[1],
  cached?: PageRequest["cached"],
) => ReturnType<typeof guests.list>

const page = { since: 0, offset: 0, limit: 1000, terms: [] }
const listGuests =
  (projection: Projection<"Guest">, changes: Partial<PageRequest> = {}): List =>
  (snapshot, scope, cached) =>
    guests.list(snapshot, scope, { ...page, ...changes, cached }, projection)
const listItems =
  (projections: ItemsProjection, changes: Partial<PageRequest> = {}): List =>
  (snapshot, scope, cached) =>
    items.list(snapshot, scope, { ...page, ...changes, cached }, projections)

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const { writer } = database
  const build = new Builder(database)
  const organization = await build.organization("acme")
  const access = { organizationIds: [], eventIds: [] }

  /** Returns the text of a page, and where the next one begins. */
  const read = async (list: List, eventId: string, cached?: PageRequest["cached"]) => {
    const { body, next } = await database.snapshot((snapshot) =>
      list(snapshot, { access, organizations: undefined, eventId }, cached)
    )
    return { text: new TextDecoder().decode(encodeBody(body).bytes), next }
  }

  /** Reads without a cache, and then with one that knows nothing, that may know all, and that does. */
  const compare = async (t: Test, eventId: string, list: List) => {
    const cached = new RecordCache(10_000_000).of(eventId, "an epoch")
    const expected = await read(list, eventId)
    for (const time of ["first", "second", "third"]) {
      t.strictSame(await read(list, eventId, cached), expected, time)
    }
    return JSON.parse(expected.text)
  }

  await t.test("readPages writes guests and items from the cache to the same bytes as without it", async (t) => {
    const event = await build.event(organization)
    await insertTricky(build, event)
    const escaped = '"\\/\b\f\n\r\t\u0001\u001f\u007f\u2028é€😀'
    const texts = { first_name: escaped, last_name: "", email: escaped, company_name: escaped }
    const id = await build.guest(event, texts)
    await build.consent(event, id, { asked: 0, status: "inactive", channels: 'a"\\' })
    const kind = { kind: "tax_receipt", line4: escaped, state: escaped } as const
    await build.address(event, id, kind)
    const long = 'ä"b'.repeat(3000)
    const all = { name: escaped, description: long, terms_description: long, external_id: escaped }
    const draw = { ticket_price: 2 ** 53 - 1, draws: 2 ** 31 - 1 }
    const sale = { price: 2 ** 53 - 1, tax_rate: 999.999 }
    const own = { prizeDraws: draw, gliRaffles: draw, buyNows: sale, tickets: sale }
    for (const category of itemCategories) {
      await build.items(category, event, 1)
      await build.item(category, event, { ...all, ...own[category as keyof typeof own] })
    }
    for (const limit of [1, 4, 1000]) {
      for (
        const projection of [whole(guest), leanGuest, pick(guest, ["updated", "consentStatus"])]
      ) {
        const found = await compare(t, event, listGuests(projection, { limit }))
        t.equal(found.length, Math.min(limit, 16))
      }
      for (const projections of [wholeItems, leanItems]) {
        await compare(t, event, listItems(projections, { limit }))
      }
    }
  })

  await t.test("readPages writes records as they are when others on the page are dropped meanwhile", async (t) => {
    const event = await build.event(organization)
    const ids = await build.guests(event, 12)
    for (const id of ids) await build.address(event, id)
    // Only this one has such an address, so other rows do not show its columns.
    const changing = ids[5] as string
    await build.address(event, changing, { kind: "gift_aid" })
    const list = listGuests(whole(guest))
    const records = new RecordCache(10_000)
    const cached = records.of(event, "1")
    for (let round = 0; round < 10; round++) {
      await writer.updateTable("guest").set({ mobile: `${round}` })
        .where("event_id", "=", event).where("id", "=", changing).execute()
      // The first request after a change may drop a record of the page, the next ones find them all again.
      const expected = await read(list, event)
      for (let n = 0; n < 3; n++) t.strictSame(await read(list, event, cached), expected)
    }
    t.ok(records.numbers.known > 0 && records.numbers.bytes > 5000, "records were kept and dropped")
  })

  await t.test("readPages reads by id the records of its event, though another has the same ids", async (t) => {
    const events = [await build.event(organization), await build.event(organization)]
    const records = new RecordCache(1_000_000)
    const projection = whole(guest)
    /** Lists the names and events of the guests and the pledges of an event. */
    const list = async (eventId: string, offset: number) => {
      const cached = records.of(eventId, "1")
      const { text } = await read(listGuests(projection, { offset }), eventId, cached)
      const bundle = await read(listItems(wholeItems, { offset }), eventId, cached)
      const found = [...JSON.parse(text), ...JSON.parse(bundle.text).pledges]
      return found.map(({ firstName, name, eventId }) => [firstName ?? name, eventId])
    }
    const change = async (ids: readonly string[], note: string) => {
      for (const event of events) {
        await writer.updateTable("guest").set({ first_name: event, mobile: note })
          .where("event_id", "=", event).where("id", "in", ids).execute()
        await writer.updateTable("pledge").set({ name: event, description: note })
          .where("event_id", "=", event).where("id", "in", ids).execute()
      }
    }
    const ids = []
    for (const event of events) {
      ids.push(await build.guests(event, 12))
      await build.items("pledges", event, 12)
    }
    t.strictSame(ids[0], ids[1])
    await change(ids[0] ?? [], "1")
    for (const event of events) {
      // The first page is read in whole, the second one is known.
      for (let n = 0; n < 2; n++) {
        t.strictSame(await list(event, 0), Array(24).fill([event, event]))
      }
    }
    await change(ids[0]?.slice(3, 5) ?? [], "2")
    for (const event of events) {
      const { read } = records.numbers
      t.strictSame(await list(event, 0), Array(24).fill([event, event]))
      t.equal(records.numbers.read - read, 4, "only what changed was read, by its id")
      t.strictSame(await list(event, 9), Array(6).fill([event, event]), "at an offset")
    }
  })

  await t.test("readPages has room for rows whose every character is escaped", {
    skip: engine === "mysql" && "the memory is the same",
  }, async (t) => {
    const [many, one] = [await build.event(organization), await build.event(organization)]
    const escaped = "\u0001".repeat(65_000)
    const texts = { description: escaped, terms_description: escaped }
    for (let n = 0; n < 3; n++) await build.item("pledges", many, texts)
    await build.item("pledges", one, texts)
    // One row begins with little memory.
    for (const event of [many, one]) await compare(t, event, listItems(wholeItems))
  })

  await t.test("a list of a rewritten projection has its values of now, and its body can be stringified", async (t) => {
    const event = await build.event(organization)
    const id = await build.guest(event, { first_name: "Ada" })
    const projection = pick(guest, ["id", "firstName"])
    let sign = ""
    const signed = rewritten(projection, projection.schema, (record) => (
      { ...record, firstName: record["firstName"] + sign }
    ))
    const scope = { access, organizations: undefined, eventId: event }
    const cached = new RecordCache(10_000).of(event, "an epoch")
    for (sign of ["?", "?", "!", "!"]) {
      const { body } = await database.snapshot((snapshot) =>
        listGuests(signed)(snapshot, scope, cached)
      )
      t.equal(JSON.stringify({ body }), JSON.stringify({ body: [{ id, firstName: `Ada${sign}` }] }))
    }
  })
})
